#include "report/explanation.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace hypermile::report {
namespace {

using nlohmann::json;
using simulate::Explanation;
using Kind = Explanation::Call::Kind;

/// 4 s: rank 1 computes 3 s of them, rank 0 waits for its message.
Explanation explanation() {
  Explanation e;
  e.nodes = {{"node-a", "t", 0, Hertz{2e9}}, {"node-b", "t", 1, std::nullopt}};
  e.ranks = {{.node = 0,
              .on_path = Seconds{0.5},
              .account = {Seconds{1}, Seconds{0.5}, Seconds{2.5}},
              .slack = {}},
             {.node = 1,
              .on_path = Seconds{3},
              .account = {Seconds{3}, Seconds{0}, Seconds{1}},
              .slack = {Seconds{0.2}, Seconds{0.25}}}};
  e.baseline = {Seconds{3}, Joules{100}};
  e.path_time = Seconds{4};
  e.computing = Seconds{3.5};
  e.inside = Seconds{0.5};
  e.handovers = 1;
  e.calls = {{Kind::message, "Recv", 0, 1, 2, Seconds{0.375}},
             {Kind::collective, "Allreduce", 0, 2, 1, Seconds{0.125}}};
  e.longest = {{.rank = 1,
                .begin = {},
                .computing = Seconds{3},
                .inside = {},
                .first_call = "Send",
                .last_call = "Send",
                .first_iteration = 1,
                .last_iteration = 3},
               {.rank = 0,
                .begin = Seconds{3},
                .computing = Seconds{0.5},
                .inside = Seconds{0.5},
                .first_call = "Recv",
                .last_call = ""}};
  e.neighbourhood.present.prediction = model::normalised(e.baseline, Seconds{4}, Joules{80});
  e.neighbourhood.units.resize(2);
  return e;
}

ExplainedRun run() {
  ExplainedRun run;
  run.folder = "out";
  run.program = {"/some/where/app", "-x"};
  run.platform = "p";
  run.run = "exact";
  run.others = {"unscaled"};
  return run;
}

/// Lines may be broken anywhere.
void expect_words(const std::string& text, const std::string& words) {
  std::string joined;
  std::istringstream all(text);
  for (std::string word; all >> word;)
    joined += word + " ";
  EXPECT_NE(joined.find(words), std::string::npos) << words << "\nis not in\n" << joined;
}

TEST(explanation_text, says_in_words_what_the_time_consists_of) {
  const std::string text = explanation_text(run(), explanation(), 10);
  expect_words(text, "app -x on 2 ranks of platform p The gears that run exact had at its end are "
                     "applied to the whole recorded unscaled run. Other runs in out (--run): "
                     "unscaled.");
  expect_words(text, "The run takes 4 s and 80 J: 33.33 % longer than in gear 0, with 20.00 % less "
                     "energy; distance -5.00 points.");
  expect_words(text, "Critical path: 87.5 % of the time (3.5 s) is computation, 12.5 % (0.5 s) is "
                     "messages and MPI calls. It goes from one rank to another 1 time.");
  expect_words(text, "rank 1 (node-b, gear 1) 3 s, 75.0 %; rank 0 (node-a, gear 0) 0.5 s, 12.5 %.");
  expect_words(text, "The most expensive MPI call: Recv of rank 0 with rank 1, 2 times 188 ms.");
  expect_words(text, "1 0 3000 3000 0 1-3 Send .. Send");
  expect_words(text, "0 3 1000 500 500 - Recv .. the end");
  expect_words(text, "1 node-b 3.0000 75.0 3.0000 0.0000 1.0000 200 5.0 250");
  EXPECT_EQ(text.find("The simulated run"), std::string::npos);
}

TEST(explanation_text, says_that_no_rank_has_slack_where_that_is_so) {
  auto e = explanation();
  EXPECT_EQ(explanation_text(run(), e, 10).find("Every rank is on the critical path"),
            std::string::npos);
  e.ranks[1].slack.least = Seconds{};
  expect_words(explanation_text(run(), e, 10), "Every rank is on the critical path at some point");
}

TEST(explanation_text, sums_up_calls_beyond_those_that_are_listed) {
  const std::string text = explanation_text(run(), explanation(), 1);
  EXPECT_EQ(text.find("Allreduce"), std::string::npos);
  expect_words(text, "... 1 more (--top) 0.125 3.12");
}

TEST(explanation_json, has_the_keys_of_its_schema) {
  auto given = run();
  given.run = "Gears 0,1";
  given.given = true;
  const json j = json::parse(explanation_json(given, explanation(), 1));
  EXPECT_EQ(j["schema"], "hypermile/explanation/1");
  EXPECT_TRUE(j["run"].is_null());
  EXPECT_EQ(j["gears_from"], "Gears 0,1");
  EXPECT_EQ(j["path"]["calls"], (json{{{"function", "Recv"},
                                       {"kind", "message"},
                                       {"rank", 0},
                                       {"with_rank", 1},
                                       {"members", nullptr},
                                       {"times", 2},
                                       {"inside_s", 0.375}}}));
  EXPECT_EQ(j["path"]["calls_in_all"], 2);
  EXPECT_EQ(j["path"]["longest_segments"][1]["last_call"], nullptr);
  EXPECT_EQ(j["path"]["longest_segments"][1]["first_iteration"], nullptr);
  EXPECT_EQ(j["ranks"][1], (json{{"node", 1},
                                 {"on_path_s", 3.0},
                                 {"computing_s", 3.0},
                                 {"messages_s", 0.0},
                                 {"waiting_s", 1.0},
                                 {"slack_s", 0.2},
                                 {"typical_slack_s", 0.25}}));
  EXPECT_EQ(j["nodes"][0]["frequency_ghz"], 2.0);
  EXPECT_TRUE(j["nodes"][1]["frequency_ghz"].is_null());
  EXPECT_TRUE(j["nodes"][0]["faster"].is_null());
  EXPECT_TRUE(j["better"].is_null());
}

} // namespace
} // namespace hypermile::report
