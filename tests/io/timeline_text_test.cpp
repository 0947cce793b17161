#include "io/refusal.hpp"
#include "io/timeline_text.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hypermile::io {
namespace {

using model::Action;
using model::Shape;

model::Timeline example() {
  model::RankTimeline rank{.begin = Seconds{1.0 / 3},
                           .operations = {},
                           .arguments = {},
                           .events = {},
                           .work = {},
                           .computation_after = Seconds{1e-300},
                           .scale = 1.1,
                           .earlier = {{1, 1.0}, {2, 2.5}},
                           .before = {0, 18446744073709551615U, 0, 0},
                           .incomplete = "MPI_Put cannot be followed: it is one-sided"};
  rank.operations = {{.action = Action::send, .partner = 1, .tag = -7, .communicator = ~0ULL},
                     {.action = Action::complete, .function = 1},
                     {.action = Action::arrive,
                      .shape = Shape::from_root,
                      .function = 2,
                      .partner = 0,
                      .members = 2,
                      .communicator = 1,
                      .bytes = 1ULL << 40},
                     {.function = 1}};
  rank.events = {{.operation = 0, .computation = 0.1F, .duration = 0},
                 {.operation = 1, .started = 1, .ends_call = 1, .duration = 3e38F},
                 {.operation = 3, .ends_call = 1, .computation = 1e-45F},
                 {.operation = 2, .computation = std::nextafter(1.0F, 2.0F)},
                 {.operation = 1, .started = 1, .ends_call = 1, .duration = 16777217.0F}};
  return {.functions = {"Send", "Wait", "Bcast"}, .ranks = {std::move(rank), {}}};
}

TEST(timeline_text, reads_back_what_it_wrote_to_the_last_bit) {
  const model::Timeline written = example();
  const std::string text = print_timeline(written);
  const model::Timeline read = parse_timeline(text, "t");
  EXPECT_EQ(read.functions, written.functions);
  ASSERT_EQ(read.ranks.size(), 2u);
  for (std::size_t r = 0; r < 2; ++r) {
    const auto& [in, out] = std::tie(written.ranks[r], read.ranks[r]);
    EXPECT_EQ(out.begin, in.begin);
    EXPECT_EQ(out.computation_after, in.computation_after);
    EXPECT_EQ(out.scale, in.scale);
    EXPECT_EQ(out.earlier, in.earlier);
    EXPECT_EQ(out.operations, in.operations);
    EXPECT_EQ(out.before, in.before);
    EXPECT_EQ(out.incomplete, in.incomplete);
    ASSERT_EQ(out.events.size(), in.events.size());
    for (std::size_t i = 0; i < in.events.size(); ++i) {
      EXPECT_EQ(out.events[i].operation, in.events[i].operation);
      EXPECT_EQ(out.events[i].started, in.events[i].started);
      EXPECT_EQ(out.events[i].ends_call, in.events[i].ends_call);
      EXPECT_EQ(out.events[i].computation, in.events[i].computation);
      EXPECT_EQ(out.events[i].duration, in.events[i].duration);
    }
  }
  EXPECT_EQ(print_timeline(read), text);
  EXPECT_FALSE(read.complete());
}

TEST(timeline_text, tells_how_computation_reacts_where_it_is_not_in_full) {
  model::Timeline timeline = example();
  EXPECT_EQ(print_timeline(timeline).find("sensitivity"), std::string::npos);
  for (const std::vector<double>& of_operations :
       {std::vector<double>{}, {0.25, 1, 0.5}, {0.6, 0.6, 0.6, 0.1}})
    for (const double otherwise : {1.0, 0.6, 0.0}) {
      timeline.ranks[0].sensitivity = of_operations;
      timeline.ranks[0].sensitivity_otherwise = otherwise;
      const auto read = parse_timeline(print_timeline(timeline), "t");
      for (std::size_t e = 0; e <= timeline.ranks[0].events.size(); ++e)
        EXPECT_EQ(sensitivity_before(read.ranks[0], e), sensitivity_before(timeline.ranks[0], e));
      EXPECT_EQ(scale_after(read.ranks[0]), scale_after(timeline.ranks[0]));
    }
}

TEST(timeline_text, tells_of_pauses_where_there_are_some) {
  using Pauses = std::vector<model::RankTimeline::Pause>;
  model::Timeline timeline = example();
  EXPECT_EQ(print_timeline(timeline).find("pauses"), std::string::npos);
  for (const Pauses& pauses :
       {Pauses{{0, Seconds{1e-5}}}, Pauses{{2, Seconds{1.0 / 3}}, {3, Seconds{2}}}}) {
    timeline.ranks[0].pauses = pauses;
    EXPECT_EQ(parse_timeline(print_timeline(timeline), "t").ranks[0].pauses, pauses);
  }
}

TEST(timeline_text, keeps_a_reason_in_its_line) {
  model::Timeline timeline;
  timeline.ranks.resize(1);
  timeline.ranks[0].incomplete = "one\ntwo";
  EXPECT_EQ(parse_timeline(print_timeline(timeline), "t").ranks[0].incomplete, "one two");
}

TEST(timeline_text, knows_every_action_and_shape) {
  model::Timeline timeline{.functions = {"F"}, .ranks = {{}}};
  for (const Action action : {Action::send, Action::receive, Action::probe})
    timeline.ranks[0].operations.push_back({.action = action, .partner = 0});
  for (const Shape shape :
       {Shape::all, Shape::from_root, Shape::to_root, Shape::scan, Shape::neighbours})
    timeline.ranks[0].operations.push_back(
        {.action = Action::arrive, .shape = shape, .members = 1});
  const auto read = parse_timeline(print_timeline(timeline), "t");
  EXPECT_EQ(read.ranks[0].operations, timeline.ranks[0].operations);
}

/// The example with one piece of text replaced by another.
std::string timeline_with(const std::string& old, const std::string& replacement) {
  std::string text = print_timeline(example());
  const auto place = text.find(old);
  EXPECT_NE(place, std::string::npos) << old;
  return text.replace(place, old.size(), replacement);
}

void expect_timeline_refused(const std::string& text, const std::string& why) {
  const std::string said = refusal([&] { return parse_timeline(text, "t.txt"); });
  EXPECT_EQ(said.rfind("t.txt:", 0), 0u) << said;
  test::expect_part(said, why);
}

TEST(timeline_text, refuses_pauses_that_make_no_sense) {
  const std::string before = "incomplete MPI_Put";
  const auto refused = [&](const std::string& pauses, const std::string& why) {
    expect_timeline_refused(timeline_with(before, pauses + "\n" + before), why);
  };
  refused("pauses 3 0", "takes no time");
  refused("pauses 3 -1", "negative");
  refused("pauses 3 nan", "not finite");
  refused("pauses 3", "missing");
  refused("pauses 3 1 3 1", "do not ascend");
  refused("pauses 5 1", "that there is not");
}

TEST(timeline_text, refuses_sensitivities_that_make_no_sense) {
  const std::string before = "incomplete MPI_Put";
  const auto with_line = [&](const std::string& line) {
    return timeline_with(before, line + "\n" + before);
  };
  expect_timeline_refused(with_line("sensitivity 1.5"), "more than 1");
  expect_timeline_refused(with_line("sensitivity -1"), "negative");
  expect_timeline_refused(with_line("sensitivity 1 2 0.5 1 0.5"), "do not ascend");
  expect_timeline_refused(with_line("sensitivity 1 4 0.5"), "an operation that there is not");
  expect_timeline_refused(with_line("sensitivity 1 4000000000 0.5"),
                          "an operation that there is not");
}

TEST(timeline_text, names_the_line_that_is_wrong) {
  expect_timeline_refused(timeline_with("send none", "sent none"),
                          "t.txt:9: unknown action 'sent'");
  expect_timeline_refused(timeline_with("\n3 0 1 ", "\n4 0 1 "),
                          "t.txt:16: there is no operation of this number");
}

TEST(timeline_text, refuses_what_no_operation_is) {
  expect_timeline_refused(timeline_with("from_root", "to_leaf"), "unknown shape");
  expect_timeline_refused(timeline_with("send none", "send all"), "a shape belongs to 'arrive'");
  expect_timeline_refused(timeline_with("arrive from_root", "arrive none"),
                          "a shape belongs to 'arrive'");
  expect_timeline_refused(timeline_with("Send 1", "Send 2"), "the partner is no rank");
  expect_timeline_refused(timeline_with("Send 1", "Send -1"), "the partner is no rank");
  expect_timeline_refused(timeline_with("Bcast 0 0 2", "Bcast 0 0 3"), "number of members");
  expect_timeline_refused(timeline_with("Bcast 0 0 2", "Bcast 0 0 0"), "number of members");
  expect_timeline_refused(timeline_with("Send 1 -7 0", "Send 1 -7 1"), "number of members");
  expect_timeline_refused(timeline_with("Send 1 -7", "Send 1 -7.5"), "the tag is not a number");
  expect_timeline_refused(timeline_with("Send 1 -7", "Send 1 2147483648"),
                          "the tag is not a number");
  expect_timeline_refused(timeline_with("Send 1", "1"), "is not a number");
  expect_timeline_refused(
      timeline_with("18446744073709551615 0 0\n", "18446744073709551615 0 0 0\n"), "too long");
}

TEST(timeline_text, refuses_times_that_cannot_be) {
  for (const char* time : {"-0.1", "nan", "inf", "-inf", "1e39", "", "x", "0x1"})
    expect_timeline_refused(timeline_with("0 0 0 0.1 0", std::string("0 0 0 ") + time + " 0"),
                            "the computation");
  expect_timeline_refused(timeline_with("begin 0.3", "begin -0.3"), "negative");
  expect_timeline_refused(timeline_with("computation after 1e-300", "computation after 1e999"),
                          "not a number");
  const std::string scales = "scale 1 1 2.5 2 1.1";
  for (const char* scale : {"0.9", "nan", "inf", "-1", "", "1 1", "1 0 2", "1 2 2 2 2", "1 1 0.5"})
    expect_timeline_refused(timeline_with(scales, std::string("scale ") + scale), "t.txt:6: ");
}

TEST(timeline_text, refuses_to_complete_what_was_not_begun) {
  expect_timeline_refused(timeline_with("\n1 1 1 0 3e+38", "\n1 2 1 0 3e+38"),
                          "before the first event");
  expect_timeline_refused(timeline_with("\n1 1 1 0 3e+38", "\n1 4294967295 1 0 3e+38"),
                          "before the first event");
  expect_timeline_refused(timeline_with("\n1 1 1 0 3e+38", "\n1 0 1 0 3e+38"),
                          "no send, receive or arrive");
  expect_timeline_refused(timeline_with("\n1 1 1 0 16", "\n1 3 1 0 16"),
                          "no send, receive or arrive"); // complete
  expect_timeline_refused(timeline_with("\n1 1 1 0 16", "\n1 2 1 0 16"),
                          "no send, receive or arrive"); // other
  expect_timeline_refused(timeline_with("\n3 0 1", "\n3 1 1"), "its action is another");
}

TEST(timeline_text, refuses_a_call_that_does_not_end) {
  expect_timeline_refused(timeline_with("\n1 1 1 0 16", "\n1 1 0 0 16"), "does not end its call");
  expect_timeline_refused(timeline_with("\n1 1 1 0 16", "\n1 1 2 0 16"), "neither 0 nor 1");
}

TEST(timeline_text, refuses_more_or_less_than_announced) {
  const std::string text = print_timeline(example());
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_THROW((void)parse_timeline(text.substr(0, size), "t"), Error) << size;
  expect_timeline_refused(text + "\n", "more than the announced");
  expect_timeline_refused(timeline_with("events 5", "events 4"), "");
  expect_timeline_refused(timeline_with("events 5", "events 99999999999999"),
                          "more events are announced");
  expect_timeline_refused(timeline_with("operations 4", "operations 99999999999999"),
                          "more operations");
  expect_timeline_refused(timeline_with("ranks 2", "ranks 99999999999999"),
                          "more ranks are announced");
  expect_timeline_refused(timeline_with("ranks 2", "ranks 0"), "no number of ranks");
  expect_timeline_refused(timeline_with("rank 1", "rank 2"), "'rank 1' was expected");
  expect_timeline_refused(timeline_with("/1", "/2"), "the first line");
  expect_timeline_refused(timeline_with("incomplete MPI_Put", "complete MPI_Put"), "was expected");
}

} // namespace
} // namespace hypermile::io
