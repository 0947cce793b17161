#include "runtime/record/recorder.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

using model::Action;
using model::Operation;

constexpr std::uint16_t send_function = 1;
constexpr std::uint16_t wait_function = 2;
constexpr std::uint16_t test_function = 3;

Operation send(int to, std::uint64_t bytes = 8) {
  return {.action = Action::send, .function = send_function, .partner = to, .bytes = bytes};
}

void end(Recorder& recorder, std::uint16_t function, double computation = 0, double duration = 0) {
  recorder.end_call(function, Recorder::Poll::no, Seconds{computation}, Seconds{duration});
}

void poll(Recorder& recorder, std::uint16_t function, double computation, double duration) {
  recorder.end_call(function, Recorder::Poll::yes, Seconds{computation}, Seconds{duration});
}

TEST(recorder, gives_the_first_event_of_a_call_its_computation_and_the_last_its_duration) {
  Recorder recorder(Seconds{0.5});
  const auto sent = recorder.add(send(3));
  recorder.complete(send_function, sent);
  end(recorder, send_function, 0.25, 2);
  const auto timeline = recorder.take(Seconds{4});
  EXPECT_EQ(timeline.begin, Seconds{0.5});
  EXPECT_EQ(timeline.computation_after, Seconds{4});
  ASSERT_EQ(timeline.events.size(), 2u);
  const auto& [first, last] = std::pair(timeline.events[0], timeline.events[1]);
  EXPECT_EQ(timeline.operations[first.operation], send(3));
  EXPECT_EQ(first.computation, 0.25F);
  EXPECT_EQ(first.duration, 0);
  EXPECT_EQ(first.ends_call, 0u);
  EXPECT_EQ(timeline.operations[last.operation].action, Action::complete);
  EXPECT_EQ(last.started, 1u);
  EXPECT_EQ(last.computation, 0);
  EXPECT_EQ(last.duration, 2);
  EXPECT_EQ(last.ends_call, 1u);
}

TEST(recorder, knows_a_call_of_no_meaning_by_its_function) {
  Recorder recorder(Seconds{});
  end(recorder, 7, 1, 2);
  const auto timeline = recorder.take(Seconds{});
  ASSERT_EQ(timeline.events.size(), 1u);
  EXPECT_EQ(timeline.operations[timeline.events[0].operation], (Operation{.function = 7}));
  EXPECT_EQ(timeline.events[0].ends_call, 1u);
}

TEST(recorder, counts_back_to_what_is_completed) {
  Recorder recorder(Seconds{});
  const auto first = recorder.add(send(1));
  end(recorder, send_function);
  const auto second = recorder.add(send(2));
  end(recorder, send_function);
  recorder.complete(wait_function, second);
  recorder.complete(wait_function, first);
  recorder.complete(wait_function, Recorder::no_event);
  end(recorder, wait_function);
  const auto timeline = recorder.take(Seconds{});
  ASSERT_EQ(timeline.events.size(), 4u);
  EXPECT_EQ(timeline.events[2].started, 1u);
  EXPECT_EQ(timeline.events[3].started, 3u);
}

TEST(recorder, keeps_an_operation_once_however_often_it_occurs) {
  constexpr std::size_t different = 1000;
  Recorder recorder(Seconds{});
  for (std::size_t i = 0; i < 3 * different; ++i) {
    recorder.add(send(static_cast<int>(i % different)));
    end(recorder, send_function);
  }
  const auto timeline = recorder.take(Seconds{});
  ASSERT_EQ(timeline.operations.size(), different);
  for (std::size_t i = 0; i < timeline.events.size(); ++i)
    EXPECT_EQ(timeline.operations[timeline.events[i].operation].partner,
              static_cast<int>(i % different));
}

TEST(recorder, tells_operations_apart_by_every_member) {
  const Operation base{.action = Action::arrive, .shape = model::Shape::all};
  std::vector<Operation> all(8, base);
  all[1].action = Action::send;
  all[2].shape = model::Shape::scan;
  all[3].function = 1;
  all[4].partner = 1;
  all[5].tag = 1;
  all[6].members = 1;
  all[7].communicator = 1;
  all.push_back(base);
  all[8].bytes = 1;
  Recorder recorder(Seconds{});
  for (const Operation& operation : all)
    recorder.add(operation);
  EXPECT_EQ(recorder.take(Seconds{}).operations, all);
}

TEST(recorder, learns_later_what_an_event_was) {
  Recorder recorder(Seconds{});
  const auto event = recorder.add({.function = 9});
  end(recorder, 9);
  recorder.amend(event, send(5));
  recorder.amend(Recorder::no_event, send(6));
  const auto timeline = recorder.take(Seconds{});
  EXPECT_EQ(timeline.operations[timeline.events[0].operation], send(5));
}

TEST(recorder, adds_what_was_computed_before_something_that_is_no_event) {
  Recorder recorder(Seconds{});
  recorder.compute(Seconds{1});
  recorder.compute(Seconds{2});
  end(recorder, 1, 4);
  recorder.compute(Seconds{8});
  const auto timeline = recorder.take(Seconds{16});
  EXPECT_EQ(timeline.events[0].computation, 7);
  EXPECT_EQ(timeline.computation_after, Seconds{24});
}

TEST(recorder, makes_one_event_of_polls_in_a_row_that_find_nothing) {
  Recorder recorder(Seconds{});
  constexpr int polls = 100'000;
  for (int i = 0; i < polls; ++i)
    poll(recorder, test_function, 1e-3, 1e-5);
  end(recorder, 1);
  const auto found = recorder.add(send(1));
  poll(recorder, test_function, 1, 1);
  poll(recorder, test_function, 2, 3);
  poll(recorder, test_function + 1, 2, 3);
  poll(recorder, test_function, 2, 3);
  const auto timeline = recorder.take(Seconds{});
  EXPECT_EQ(found, 2u);
  ASSERT_EQ(timeline.events.size(), 6u);
  EXPECT_NEAR(timeline.events[0].computation, 1e-3 * polls, 1e-5 * polls * 1e-3);
  EXPECT_NEAR(timeline.events[0].duration, 1e-5 * polls, 1e-5 * polls * 1e-5);
}

TEST(recorder, takes_polls_in_vain_for_waiting_where_the_next_one_finds_something) {
  Recorder recorder(Seconds{});
  const auto sent = recorder.add(send(1));
  end(recorder, send_function);
  for (int i = 0; i < 4; ++i)
    poll(recorder, test_function, 0.5, 0.25);
  recorder.complete(test_function, sent);
  poll(recorder, test_function, 2, 0.125);
  const auto timeline = recorder.take(Seconds{});
  ASSERT_EQ(timeline.events.size(), 3u);
  EXPECT_EQ(timeline.events[1].computation, 2);
  EXPECT_EQ(timeline.events[1].duration, 0);
  EXPECT_EQ(timeline.events[2].computation, 2);
  EXPECT_EQ(timeline.events[2].duration, 1.125F);
}

TEST(recorder, does_not_add_polls_across_another_call) {
  Recorder recorder(Seconds{});
  poll(recorder, test_function, 0, 1);
  end(recorder, 1);
  poll(recorder, test_function, 0, 1);
  EXPECT_EQ(recorder.take(Seconds{}).events.size(), 3u);
}

TEST(recorder, forgets_the_call_in_which_it_stops_and_says_why) {
  Recorder recorder(Seconds{});
  recorder.add(send(1));
  end(recorder, send_function, 1, 1);
  recorder.add(send(2));
  recorder.stop("because");
  recorder.stop("again");
  EXPECT_EQ(recorder.add(send(3)), Recorder::no_event);
  recorder.complete(wait_function, 0);
  end(recorder, send_function, 1, 1);
  EXPECT_TRUE(recorder.stopped());
  const auto timeline = recorder.take(Seconds{5});
  EXPECT_EQ(timeline.incomplete, "because");
  ASSERT_EQ(timeline.events.size(), 1u);
  EXPECT_EQ(timeline.events[0].ends_call, 1u);
  EXPECT_EQ(timeline.computation_after, Seconds{});
}

TEST(recorder, still_learns_what_an_event_was_when_it_has_stopped) {
  Recorder recorder(Seconds{});
  const auto event = recorder.add({.function = 9});
  end(recorder, 9);
  recorder.stop("because");
  recorder.amend(event, send(5));
  const auto timeline = recorder.take(Seconds{});
  EXPECT_EQ(timeline.operations[timeline.events[0].operation], send(5));
}

TEST(recorder, stops_at_its_bound_with_a_whole_call) {
  Recorder recorder(Seconds{}, {3, Recorder::WhenFull::stop});
  for (int i = 0; i < 3; ++i) {
    recorder.complete(send_function, recorder.add(send(i)));
    end(recorder, send_function);
  }
  const auto timeline = recorder.take(Seconds{});
  EXPECT_EQ(timeline.incomplete, "there are more than 3 events");
  EXPECT_EQ(timeline.events.size(), 2u);
}

Recorder forgetful(std::size_t most_events) {
  return Recorder(Seconds{0.5}, {most_events, Recorder::WhenFull::forget});
}

/// A call of one event, 3/4 s long; returns the event's number.
std::uint64_t call(Recorder& recorder, const Operation& operation) {
  const auto event = recorder.add(operation);
  end(recorder, operation.function, 0.25, 0.5);
  return event;
}

TEST(recorder, forgets_the_older_half_and_goes_on_with_the_same_numbers) {
  Recorder recorder = forgetful(8);
  for (std::uint64_t i = 0; i < 21; ++i) {
    EXPECT_EQ(recorder.first_event(), i);
    EXPECT_EQ(call(recorder, send(static_cast<int>(i % 3))), i);
  }
  EXPECT_FALSE(recorder.stopped());
  const auto timeline = recorder.take(Seconds{2});
  ASSERT_EQ(timeline.events.size(), 5u); // numbers 16 to 20
  EXPECT_EQ(timeline.operations[timeline.events[0].operation], send(1));
  EXPECT_EQ(timeline.begin, Seconds{0.5 + 16 * 0.75});
  EXPECT_EQ(timeline.before, (std::vector<std::uint64_t>{6, 5, 5}));
  EXPECT_EQ(timeline.computation_after, Seconds{2});
}

TEST(recorder, what_it_keeps_is_what_a_cut_of_everything_would_be) {
  Recorder all(Seconds{0.5});
  Recorder latest = forgetful(64);
  for (int i = 0; i < 1000; ++i)
    for (Recorder* recorder : {&all, &latest}) {
      call(*recorder, send(i % 7, static_cast<std::uint64_t>(i / 300)));
      recorder->pause(Seconds{i % 5 == 0 ? 1.0 : 0.0});
    }
  const Seconds now{0.5 + 1000 * 0.75 + 200};
  const auto kept = latest.since(Seconds{940}, now, 1000);
  const auto cut = all.since(Seconds{940}, now, 1000);
  EXPECT_EQ(kept.begin, cut.begin);
  EXPECT_EQ(kept.pauses, cut.pauses);
  EXPECT_GE(kept.pauses.size(), 2u);
  EXPECT_EQ(kept.operations, cut.operations);
  EXPECT_EQ(kept.before, cut.before);
  ASSERT_EQ(kept.events.size(), cut.events.size());
  for (std::size_t e = 0; e < kept.events.size(); ++e)
    EXPECT_EQ(kept.events[e].operation, cut.events[e].operation);
}

/// What since() promises, from all that was recorded.
model::RankTimeline cut_of(const model::RankTimeline& all, Seconds from, std::size_t most_events) {
  const Seconds end = model::end(all);
  auto part = model::cut(all, from, end);
  if (part.events.size() <= most_events)
    return part;
  const double share = static_cast<double>(most_events) / static_cast<double>(part.events.size());
  return model::cut(all, end - (end - part.begin) * share, end);
}

TEST(recorder, finds_what_happened_since_a_moment_as_a_cut_does) {
  Recorder recorder(Seconds{0.25});
  Recorder twin(Seconds{0.25});
  for (int i = 0; i < 20'000; ++i)
    for (Recorder* r : {&recorder, &twin}) {
      const double time = 1e-3 * (i % 17);
      if (i % 5 == 0)
        poll(*r, test_function, time, 1e-4);
      else if (i % 7 == 0)
        r->complete(wait_function, call(*r, send(i % 3)));
      end(*r, wait_function, time, time / 3);
      if (i % 11 == 0)
        r->pause(Seconds{time});
    }
  const auto all = twin.take(Seconds{});
  const Seconds end = model::end(all);
  for (const double from : {0.0, 0.25, 1.0, 77.7, 300.0, end.value() - 0.01, end.value() + 1})
    for (const std::size_t most_events : {std::size_t{100'000}, std::size_t{500}}) {
      const auto part = recorder.since(Seconds{from}, end, most_events);
      const auto expected = cut_of(all, Seconds{from}, most_events);
      EXPECT_EQ(part.begin, expected.begin);
      EXPECT_EQ(part.pauses, expected.pauses);
      EXPECT_EQ(part.operations, expected.operations);
      EXPECT_EQ(part.before, expected.before);
      ASSERT_EQ(part.events.size(), expected.events.size()) << from;
      for (std::size_t e = 0; e < part.events.size(); ++e) {
        ASSERT_EQ(part.events[e].operation, expected.events[e].operation);
        ASSERT_EQ(part.events[e].computation, expected.events[e].computation);
        ASSERT_EQ(part.events[e].started, expected.events[e].started);
      }
    }
}

TEST(recorder, keeps_the_moments_of_calls_before_a_pause) {
  Recorder recorder(Seconds{1});
  call(recorder, send(1)); // 0.5 s of computation, 0.25 s of the call
  recorder.pause(Seconds{2});
  recorder.pause(Seconds{1});
  call(recorder, send(2));
  recorder.pause(Seconds{4}); // the last: no call follows
  const auto since = recorder.since(Seconds{0}, Seconds{9.5}, 100);
  EXPECT_EQ(since.begin, Seconds{1});
  EXPECT_EQ(since.pauses, (std::vector<model::RankTimeline::Pause>{{1, Seconds{3}}}));
  EXPECT_EQ(model::end(since), Seconds{5.5});
  const auto second = recorder.since(Seconds{2}, Seconds{9.5}, 100);
  EXPECT_EQ(second.begin, Seconds{4.75});
  EXPECT_TRUE(second.pauses.empty());
  EXPECT_EQ(recorder.take(Seconds{}).pauses, since.pauses);
}

TEST(recorder, adds_up_pauses_that_are_too_short_to_record) {
  Recorder recorder(Seconds{0});
  for (int i = 0; i < 1000; ++i) {
    call(recorder, send(1));
    recorder.pause(Seconds{1e-7});
  }
  const auto timeline = recorder.take(Seconds{});
  EXPECT_LE(timeline.pauses.size(), 10u);
  Seconds sum;
  for (const auto& pause : timeline.pauses)
    sum += pause.length;
  EXPECT_NEAR(sum.value(), 1e-4, 1.1e-5);
}

TEST(recorder, pauses_between_polls_in_vain_are_no_part_of_them) {
  Recorder recorder(Seconds{0});
  for (int i = 0; i < 3; ++i) {
    poll(recorder, test_function, 0.25, 0.5);
    recorder.pause(Seconds{1});
  }
  end(recorder, wait_function, 0.25, 0.5);
  const auto timeline = recorder.since(Seconds{0}, Seconds{6}, 100);
  ASSERT_EQ(timeline.events.size(), 2u);
  EXPECT_EQ(timeline.pauses, (std::vector<model::RankTimeline::Pause>{{1, Seconds{3}}}));
  EXPECT_EQ(model::end(timeline), Seconds{6});
}

TEST(recorder, forgets_whole_calls_only) {
  Recorder recorder = forgetful(8);
  for (int i = 0; i < 2; ++i) { // two calls of three events, then calls of one
    for (int k = 0; k < 3; ++k)
      recorder.add(send(k));
    end(recorder, send_function, 1, 1);
  }
  for (int i = 0; i < 3; ++i)
    call(recorder, send(9));
  const auto timeline = recorder.take(Seconds{});
  ASSERT_EQ(timeline.events.size(), 3u);
  EXPECT_EQ(timeline.operations[timeline.events[0].operation], send(9));
  EXPECT_EQ(timeline.begin, Seconds{4.5});
}

TEST(recorder, a_completion_of_what_is_forgotten_has_no_meaning) {
  Recorder recorder = forgetful(8);
  const auto old = call(recorder, send(1));
  for (int i = 0; i < 6; ++i)
    call(recorder, send(2));
  recorder.complete(wait_function, old); // number 7, whose start is forgotten with the next event
  end(recorder, wait_function);
  recorder.complete(wait_function, old);
  end(recorder, wait_function);
  const auto recent = call(recorder, send(3));
  recorder.complete(wait_function, recent);
  end(recorder, wait_function);
  const auto timeline = recorder.take(Seconds{});
  ASSERT_EQ(timeline.events.size(), 7u); // from number 4 on
  const auto operation = [&](std::size_t e) {
    return timeline.operations[timeline.events[e].operation];
  };
  EXPECT_EQ(operation(3), (Operation{.function = wait_function}));
  EXPECT_EQ(timeline.events[3].started, 0u);
  EXPECT_EQ(operation(4), (Operation{.function = wait_function}));
  EXPECT_EQ(operation(6).action, Action::complete);
  EXPECT_EQ(timeline.events[6].started, 1u);
}

TEST(recorder, counts_what_a_forgotten_event_turns_out_to_have_been) {
  Recorder recorder = forgetful(4);
  const Operation receive{.action = Action::receive, .function = 9, .partner = 2};
  const auto posted = call(recorder, {.function = 9});
  for (int i = 0; i < 4; ++i)
    call(recorder, send(1));
  recorder.amend(posted, receive);
  const auto timeline = recorder.take(Seconds{});
  ASSERT_EQ(timeline.before.size(), timeline.operations.size());
  for (std::size_t o = 0; o < timeline.operations.size(); ++o) {
    const bool forgotten = timeline.operations[o] == receive || timeline.operations[o] == send(1);
    EXPECT_EQ(timeline.before[o], forgotten ? 1u : 0u);
  }
}

TEST(recorder, stops_where_a_call_alone_has_more_events_than_it_keeps) {
  Recorder recorder = forgetful(4);
  call(recorder, send(1));
  for (int i = 0; i < 5; ++i)
    recorder.add(send(1));
  EXPECT_EQ(recorder.incomplete(), "a call has more than 4 events");
}

TEST(recorder, stops_where_nothing_is_done_twice) {
  Recorder recorder = forgetful(64);
  for (int i = 0; i < 200; ++i)
    call(recorder, send(i));
  EXPECT_EQ(recorder.incomplete(), "there are more than 32 different operations");
}

TEST(recorder, remembers_which_gear_was_in_effect_when) {
  Recorder recorder(Seconds{0}, {.most_events = 8, .when_full = Recorder::WhenFull::forget});
  const auto call = [&] { recorder.end_call(0, Recorder::Poll::no, Seconds{1}, Seconds{0.5}); };
  const auto scales = [](const model::RankTimeline& timeline) {
    std::vector<double> all;
    for (std::size_t e = 0; e < timeline.events.size(); ++e)
      all.push_back(scale_before(timeline, e));
    return all;
  };
  recorder.set_scale(1.5); // before anything was done
  for (const double scale : {1.5, 2.0, 2.0, 1.0}) {
    recorder.set_scale(scale);
    call();
  }
  const Seconds now{4 * 1.5};
  EXPECT_EQ(scales(recorder.since(Seconds{0}, now, 100)), (std::vector{1.5, 2.0, 2.0, 1.0}));
  EXPECT_EQ(scales(recorder.since(Seconds{3}, now, 100)), (std::vector{2.0, 1.0}));
  for (int i = 0; i < 5; ++i) // the older half goes
    call();
  EXPECT_EQ(scales(recorder.take(Seconds{})), (std::vector{1.0, 1.0, 1.0, 1.0, 1.0}));
}

TEST(recorder, needs_16_bytes_per_event) { EXPECT_EQ(sizeof(model::Event), 16u); }

} // namespace
} // namespace hypermile::runtime
