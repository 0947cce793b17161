// Caps on power, assumed types, and machines of which nothing is known, in jobs of real MPIs.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace hypermile::test {
namespace {

using nlohmann::json;

class Options : public testing::TestWithParam<std::string> {
protected:
  [[nodiscard]] Job job(std::vector<std::string> options) const {
    return {.flavour = GetParam(),
            .ranks = 2,
            .program = {"c_loop", "200", "2000"},
            .options = std::move(options)};
  }

  /// A job on this machine, whose /sys is an empty folder: nothing is known of it.
  [[nodiscard]] json on_unknown_machine(const std::vector<std::string>& options) const {
    const TemporaryFolder folder;
    for (const char* const name : {"sys", "state", "tmp"})
      std::filesystem::create_directory(folder.path(name));
    const std::string report = folder.path("report.json");
    std::vector<std::string> words{"run", "--json", "-o", report};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    for (const std::string& word :
         mpirun(GetParam(), 2, {mpi_program(GetParam(), "c_loop"), "300", "2000"}))
      words.push_back(word);
    auto environment = job_environment(folder.path("tmp"));
    environment["HYPERMILE_SYSFS"] = folder.path("sys");
    environment["HYPERMILE_STATE"] = folder.path("state");
    const auto result = RunningCommand(words, "", environment).wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(std::ifstream(report), nullptr, false);
  }

  static const json& cap_of(const json& report, std::size_t index = 0) {
    return report.at("power_caps").at(index);
  }
  static bool has(const json& text, const std::string& part) {
    return text.get<std::string>().find(part) != std::string::npos;
  }
  static bool any_has(const json& texts, const std::string& part) {
    return std::ranges::any_of(texts, [&](const json& text) { return has(text, part); });
  }
  /// Where gears were wanted: on a busy machine there may be none, and then nothing rests on it.
  static void expect_verdict_tells(const json& report, const std::string& assumed) {
    EXPECT_EQ(has(report.at("verdict"), assumed), !report.at("predicted").is_null())
        << report.at("verdict") << report.at("predicted");
  }
};

INSTANTIATE_TEST_SUITE_P(mpi, Options, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param; });

/// The program's clock, too, runs as in the emulated gear: 1.2 GHz in place of 2.5. What else runs
/// on the machine only adds to a time, so the shortest of several runs tell.
TEST_P(Options, emulated_gears_are_seen_by_a_program_that_reads_the_clock) {
  const auto computed = [this](const std::string& gears) {
    const JobResult result =
        run_job({.flavour = GetParam(), .program = {"reads_clock"}, .options = {"--gears", gears}});
    EXPECT_EQ(result.command.exit_code, 0) << result.command.err;
    return std::stod(result.command.out);
  };
  double fast = std::numeric_limits<double>::infinity();
  double slow = fast;
  for (int run = 0; run < 3 || (run < 20 && slow <= 1.4 * fast); ++run) {
    fast = std::min(fast, computed("0,0"));
    slow = std::min(slow, computed("13,0"));
  }
  EXPECT_GT(slow, 1.4 * fast);
}

/// A million calls, of which nothing can be learnt.
TEST_P(Options, a_flood_of_calls_is_watched_in_part_only_and_the_loop_after_it_is_found) {
  const json report = run_successfully({.flavour = GetParam(),
                                        .ranks = 2,
                                        .program = {"flood", "400", "1200", "2000"},
                                        .options = {"--max-slowdown", "5%"}});
  for (const json& rank : report.at("ranks_detail")) {
    EXPECT_GT(rank.at("unwatched_s"), 0.1) << rank;
    EXPECT_NEAR(rank.at("mpi_calls").get<double>(), 1'202'000, 5000) << rank; // all are counted
    EXPECT_GT(rank.at("iterations"), 200) << rank;
    EXPECT_NEAR(rank.at("computation_s").get<double>() + rank.at("communication_s").get<double>() +
                    rank.at("overhead_s").get<double>(),
                rank.at("time_s").get<double>(), 0.1 * rank.at("time_s").get<double>());
  }
}

/// And its environment of floating-point arithmetic is its own.
TEST_P(Options, a_program_that_traps_its_own_arithmetic_is_not_ended_by_ours) {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--max-slowdown", "5%"},
                                             {"--method", "alg5"},
                                             {"--apply", "async"},
                                             {"--gears", "13,0"}}) {
    const JobResult result =
        run_job({.flavour = GetParam(), .program = {"traps", "300", "500"}, .options = options});
    EXPECT_EQ(result.command.exit_code, 0) << options.back() << "\n" << result.command.err;
  }
}

TEST_P(Options, equal_shares_are_gears_from_the_begin_by_the_speed_of_the_nodes) {
  const json report = run_successfully(job({"--equal-shares"}));
  ASSERT_FALSE(report.at("decisions").empty());
  const json& first = report.at("decisions").at(0);
  EXPECT_EQ(first.at("before_loop"), true);
  EXPECT_EQ(first.at("gears").at(0), 0); // [F16] Table 3.1: type 1 is the slowest
  EXPECT_GT(first.at("gears").at(1), 0);
  ASSERT_EQ(first.at("set").size(), 2U);
  for (std::size_t node = 0; node < 2; ++node) {
    EXPECT_EQ(first.at("set").at(node).at("gear"), first.at("gears").at(node));
    EXPECT_EQ(first.at("set").at(node).at("in_effect"), true);
  }
}

// --- Caps on power ---

TEST_P(Options, a_cap_on_peak_power_holds_from_the_begin_to_the_end) {
  const json report = run_successfully(job({"--power-cap", "peak:40W"})); // of 51 W
  const json& cap = cap_of(report);
  EXPECT_EQ(cap.at("kind"), "peak");
  EXPECT_EQ(cap.at("cap_w"), 40);
  EXPECT_LE(cap.at("reached_w"), 40);
  EXPECT_GT(cap.at("reached_w"), 30); // not slower than it need be
  EXPECT_EQ(cap.at("kept"), true);
  EXPECT_TRUE(has(report.at("verdict"), "the cap of 40 W on peak power was kept"));
  EXPECT_TRUE(std::ranges::any_of(report.at("nodes"), [](const json& node) {
    return node.at("gears") < 14; // some are left out
  }));
}

TEST_P(Options, a_cap_on_average_power_is_kept_whatever_was_drawn_before_the_first_choice) {
  const double without = [&] {
    const json report = run_successfully(job({"--method", "none"}));
    return report.at("energy").at("power_table_j").get<double>() /
           report.at("time_s").get<double>();
  }();
  const double cap = 0.8 * without;
  const json report =
      run_successfully(job({"--power-cap", std::to_string(cap) + "W", "--every", "10"}));
  EXPECT_EQ(cap_of(report).at("kind"), "average");
  EXPECT_EQ(cap_of(report).at("by"), "power tables");
  EXPECT_LE(cap_of(report).at("reached_w"), 1.03 * cap);
  EXPECT_EQ(cap_of(report).at("kept"), cap_of(report).at("reached_w") <= cap);
  EXPECT_TRUE(has(report.at("verdict"), "on average power was"));
}

TEST_P(Options, a_cap_that_no_gears_keep_is_told_at_once_and_in_the_report) {
  const JobResult result = run_job(job({"--power-cap", "peak:5W"}));
  EXPECT_EQ(result.command.exit_code, 0);
  const std::string why = "no gears keep the cap of 5 W on the peak power";
  EXPECT_NE(result.command.err.find("hypermile: warning: " + why), std::string::npos)
      << result.command.err;
  EXPECT_TRUE(any_has(result.report.at("remarks"), why));
  EXPECT_EQ(cap_of(result.report).at("kept"), false);
  EXPECT_TRUE(has(result.report.at("verdict"), "the cap of 5 W on peak power was missed"));
  EXPECT_TRUE(has(result.report.at("verdict"), "Failure"));
}

TEST_P(Options, a_cap_comes_before_the_bound_which_the_report_says) {
  // So low that no bound can be kept, however much the ranks wait on a busy machine.
  const json report =
      run_successfully(job({"--power-cap", "20W", "--max-slowdown", "1%", "--method", "exact"}));
  EXPECT_TRUE(std::ranges::any_of(report.at("decisions"), [](const json& decision) {
    return any_has(decision.at("given_up"), "max_slowdown");
  })) << report.at("decisions");
}

TEST_P(Options, a_cap_that_a_dry_run_does_not_keep_is_not_called_kept) {
  const json report = run_successfully(job({"--power-cap", "peak:40W", "--dry-run"}));
  EXPECT_EQ(cap_of(report).at("kept"), false);
  EXPECT_GT(cap_of(report).at("reached_w"), 40);
}

// --- Machines that no platform names ---

TEST_P(Options, a_machine_that_the_platform_does_not_name_is_taken_for_the_assumed_type) {
  const json report =
      on_unknown_machine({"--platform", "table-3.1", "--assume", "type2", "--objective", "energy",
                          "--max-slowdown", "20%", "--dry-run"});
  const json& node = report.at("nodes").at(0);
  EXPECT_EQ(node.at("type"), "type2");
  EXPECT_EQ(node.at("assumed"), "type2");
  EXPECT_EQ(node.at("power_assumed"), true);
  EXPECT_EQ(report.at("energy").at("assumed"), json({"type2"}));
  expect_verdict_tells(report, "assumed: type2");
}

TEST_P(Options, a_machine_that_the_platform_does_not_name_is_told_of_assume) {
  const json report = on_unknown_machine({"--platform", "table-3.1"});
  EXPECT_TRUE(any_has(report.at("remarks"), "or --assume type1, or --assume type2"))
      << report.at("remarks");
}

TEST_P(Options, a_machine_is_of_a_platform_that_is_composed_of_components) {
  const json report = on_unknown_machine({"--platform", "galera-plus", "--dry-run"});
  const json& node = report.at("nodes").at(0);
  EXPECT_EQ(node.at("type"), "node");
  EXPECT_EQ(node.at("assumed"), nullptr); // the only type of the platform describes every host
}

TEST_P(Options, a_machine_of_which_nothing_is_known_is_taken_for_a_generic_one_and_never_set) {
  const json report = on_unknown_machine({"--objective", "energy", "--max-slowdown", "20%"});
  EXPECT_EQ(report.at("gears_in_effect"), false);
  const json& node = report.at("nodes").at(0);
  EXPECT_EQ(node.at("assumed"), "generic");
  EXPECT_TRUE(node.at("sets_gears_by").is_null());
  EXPECT_EQ(node.at("gear"), 0);
  EXPECT_EQ(node.at("gears"), 13);
  ASSERT_FALSE(report.at("decisions").empty());
  expect_verdict_tells(report, "assumed: generic");
  EXPECT_TRUE(any_has(report.at("remarks"), "(assumed: generic)"));
}

// --- The table of other bounds ---

TEST_P(Options, the_table_of_other_bounds_agrees_with_what_was_predicted) {
  const json report = run_successfully(job({"--max-slowdown", "4%"}));
  const json& rows = report.at("trade_offs");
  ASSERT_EQ(rows.size(), 6U); // 0, 3, 4, 5, 10 %, none
  std::size_t in_force = 0;
  for (const json& row : rows)
    if (row.at("this_run").get<bool>()) {
      ++in_force;
      EXPECT_EQ(row.at("max_slowdown"), 0.04);
      if (!report.at("predicted").is_null()) {
        EXPECT_EQ(row.at("time_ratio"), report.at("predicted").at("time_ratio"));
        EXPECT_EQ(row.at("energy_ratio"), report.at("predicted").at("energy_ratio"));
      }
    }
  EXPECT_EQ(in_force, 1U);
  EXPECT_TRUE(rows.back().at("max_slowdown").is_null());
}

} // namespace
} // namespace hypermile::test
