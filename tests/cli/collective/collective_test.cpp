// `hypermile collective` under real MPI libraries: what is calibrated, applied and proven.

#include "collective/bcast.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

namespace hypermile::test {
namespace {

class Flavoured : public Bcast {
protected:
  [[nodiscard]] Words launcher(int ranks) const { return mpirun(GetParam(), ranks, {}); }

  [[nodiscard]] collective::Calibration rigged(const std::string& first, const std::string& second,
                                               const std::string& collective = "bcast") const {
    return rigged_for(*collective::library_named(GetParam()), first, second, collective);
  }
};

TEST_P(Flavoured, finds_every_algorithm_of_the_library_at_work) {
  const std::string file = path("cal.json");
  const auto result =
      hypermile({"calibrate", "--sizes", "64KiB:128KiB", "--segments", "128KiB", "--passes", "2",
                 "--seconds", "0.001", "--platform", "table-3.1", "-o", file},
                launcher(3));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto calibration = tune::parse_calibration(read_file(file), file);
  EXPECT_EQ(calibration.conditions.power, collective::PowerKind::modelled);
  ASSERT_EQ(calibration.measured.size(), 1U);
  EXPECT_EQ(calibration.measured[0].processes_per_node, 3U);
  std::set<std::string> seen;
  for (const auto& cell : calibration.measured[0].cells) {
    seen.insert(cell.variant.algorithm);
    EXPECT_EQ(cell.times.size(), 2U);
  }
  EXPECT_TRUE(seen.contains("default")); // what the library does by its own rules
  EXPECT_EQ(seen.size(), (GetParam() == "openmpi" ? 9U : 3U) + 1U);

  const auto estimated = hypermile({"estimate", file, "--size", "100kB", "--json"});
  ASSERT_EQ(estimated.exit_code, 0) << estimated.err;
  EXPECT_EQ(json::parse(estimated.out)["answers"][0]["estimates"].size(),
            calibration.measured[0].cells.size() / 2 - 1); // which is no algorithm
  const std::string chosen = hypermile({"choose", file}).out;
  EXPECT_TRUE(has(chosen, "from a model of power, not measured"));
  EXPECT_TRUE(has(chosen, "how much longer the library takes by its own rules"));
  const auto answers = json::parse(hypermile({"choose", file, "--json"}).out)["answers"];
  for (const auto& answer : answers) {
    EXPECT_GT(answer["choice"]["default_time_ratio"], 0.01);
    EXPECT_LT(answer["choice"]["default_time_ratio"], 100);
  }

  // Another number of processes is added; the same again has nothing to do.
  const std::string before = read_file(file);
  const Words again{"calibrate", "--sizes", "64KiB:128KiB", "--segments", "128KiB", "--passes", "2",
                    "--seconds", "0.001",   "--platform",   "table-3.1",  "-o",     file};
  EXPECT_EQ(hypermile(again, launcher(3)).exit_code, 0);
  EXPECT_EQ(read_file(file), before);
  EXPECT_EQ(hypermile(again, launcher(2)).exit_code, 0);
  EXPECT_EQ(tune::parse_calibration(read_file(file), file).measured.size(), 2U);
}

/// With 4 processes, which are even and a power of two; with 3, where that makes a difference. That
/// each byte arrives is checked by the program.
TEST_P(Flavoured, finds_every_algorithm_of_each_collective_that_works_at_work) {
  for (const std::string name : {"allgather", "allreduce", "alltoall"}) {
    const std::string file = path(name);
    const auto& its = collective::collective_named(name);
    for (const int processes : name == "allgather" ? std::vector{3, 4} : std::vector{4}) {
      const auto result =
          collective({name, "calibrate", "--sizes", "64B:128B", "--segments", "0,16B", "--passes",
                      "1", "--seconds", "0.001", "--meter", "none", "-o", file},
                     launcher(processes));
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
    const auto calibration = tune::parse_calibration(read_file(file), file);
    ASSERT_EQ(calibration.measured.size(), name == "allgather" ? 2U : 1U);
    for (const auto& measured : calibration.measured) {
      std::set<std::string> seen;
      for (const auto& cell : measured.cells)
        seen.insert(cell.variant.algorithm);
      std::set<std::string> expected{"default"};
      for (const auto& algorithm : algorithms_of(its, calibration.conditions.library))
        if (works(its, algorithm, measured.processes_per_node, 128, algorithm.segments ? 16 : 0))
          expected.emplace(algorithm.name);
      EXPECT_EQ(seen, expected) << name << " " << measured.processes_per_node;
    }
  }
}

TEST_P(Flavoured, rules_of_several_collectives_are_what_the_library_does) {
  const bool openmpi = GetParam() == "openmpi";
  std::map<std::string, std::set<std::string>> chosen;
  Words apply{"apply", "--least", "time", "-o", path("rules")};
  for (const auto& [name, first, second] :
       openmpi ? std::vector<std::array<std::string, 3>>{{"allgather", "bruck", "linear"},
                                                         {"allreduce", "rabenseifner",
                                                          "nonoverlapping"},
                                                         {"alltoall", "modified_bruck", "linear"},
                                                         {"bcast", "chain", "basic_linear"}}
               : std::vector<std::array<std::string, 3>>{
                     {"allgather", "ring", "brucks"},
                     {"allreduce", "recursive_doubling", "reduce_scatter_allgather"},
                     {"alltoall", "brucks", "scattered"},
                     {"bcast", "scatter_ring_allgather", "binomial"}}) {
    write_file(path(name), tune::calibration_json(rigged(first, second, name)));
    apply.push_back(path(name));
    chosen[name] = {first, second};
  }
  const auto applied = collective(apply);
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  const auto verified = collective({"verify", path("rules"), "--json"}, launcher(3));
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  std::map<std::string, std::set<std::string>> intended;
  const json parsed = json::parse(verified.out);
  for (const auto& one : parsed.at("observed")) {
    EXPECT_TRUE(one["as_intended"]) << one;
    if (one.contains("intended") && one["processes"] == 3)
      intended[one["collective"]].insert(one["intended"].get<std::string>());
  }
  for (const auto& [name, algorithms] : chosen)
    for (const std::string& algorithm : algorithms)
      EXPECT_TRUE(intended[name].contains(algorithm)) << name << "\n" << verified.out;
}

/// Each process comes up to 2 ms late: it is inside, as the mean, for as long as it waits for
/// others.
TEST_P(Flavoured, late_processes_are_a_condition_of_the_calibration) {
  const std::string file = path("late.json");
  const Words words{"allreduce", "calibrate", "--sizes", "64KiB", "--passes", "1",
                    "--seconds", "0.02",      "--meter", "none",  "-o",       file};
  Words late = words;
  late.insert(late.end(), {"--arrival", "uniform:2ms"});
  const auto result = collective(late, launcher(2));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto calibration = tune::parse_calibration(read_file(file), file);
  EXPECT_EQ(arrival_text(calibration.conditions.arrival), "uniform:0.002s");
  for (const auto& cell : calibration.measured.at(0).cells) {
    ASSERT_EQ(cell.inside.size(), 1U);
    EXPECT_GT(cell.inside[0], Seconds{0});
  }
  EXPECT_EQ(collective({"allreduce", "choose", file, "--least", "time"}).exit_code, 0);
  const auto together = collective(words, launcher(2));
  EXPECT_EQ(together.exit_code, 1);
  EXPECT_TRUE(has(together.err, "arrival of processes was 'uniform:0.002s'")) << together.err;
}

/// As if the launcher had started fewer, which goes on with the same file.
TEST_P(Flavoured, some_of_the_processes_of_a_node_are_measured_in_a_job_of_more) {
  const std::string file = path("cal.json");
  const auto calibrate = [&](const Words& more, int processes) {
    Words words{"calibrate", "--sizes", "64KiB:128KiB", "--segments", "0",  "--passes", "2",
                "--seconds", "0.001",   "--platform",   "d13",        "-o", file};
    words.insert(words.end(), more.begin(), more.end());
    return hypermile(words, launcher(processes));
  };
  const auto result = calibrate({"--procs-per-node", "3,2"}, 4);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(has(result.out, "--procs-per-node 3")) << result.out;
  const std::string text = read_file(file);
  const auto calibration = tune::parse_calibration(text, file);
  ASSERT_EQ(calibration.measured.size(), 2U);
  for (const std::size_t processes : {2U, 3U}) {
    const auto* const measured = find_measured(calibration, 1, processes);
    ASSERT_NE(measured, nullptr) << processes;
    EXPECT_EQ(measured->cells.size(), 2 * ((GetParam() == "openmpi" ? 9U : 3U) + 1U));
    for (const auto& cell : measured->cells)
      EXPECT_EQ(cell.times.size(), 2U);
  }
  EXPECT_EQ(calibrate({}, 2).exit_code, 0);
  EXPECT_EQ(calibrate({"--procs-per-node", "3"}, 3).exit_code, 0);
  EXPECT_EQ(read_file(file), text); // nothing was left to do

  const auto more = calibrate({"--procs-per-node", "2,5"}, 4);
  EXPECT_EQ(more.exit_code, 1);
  EXPECT_TRUE(has(more.err, "5 processes are to take part on each node")) << more.err;
  const auto alone = calibrate({"--procs-per-node", "1"}, 4);
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_TRUE(has(alone.err, "nobody to send to")) << alone.err;
  EXPECT_EQ(read_file(file), text);
}

/// What Open MPI runs for two processes only, it runs: no others take part.
TEST_P(Flavoured, processes_that_are_not_measured_take_no_part) {
  const std::string file = path("cal.json");
  const auto result = collective({"allgather", "calibrate", "--procs-per-node", "2", "--sizes",
                                  "1KiB", "--segments", "0", "--passes", "1", "--seconds", "0.001",
                                  "--meter", "none", "-o", file},
                                 launcher(4));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto calibration = tune::parse_calibration(read_file(file), file);
  const auto& cells = calibration.measured.at(0).cells;
  const auto for_two = std::ranges::count_if(
      cells, [](const auto& cell) { return cell.variant.algorithm == "two_proc"; });
  EXPECT_EQ(for_two, GetParam() == "openmpi" ? 1 : 0);
}

/// Which a program may do itself, and no rules make the library do.
TEST_P(Flavoured, a_broadcast_by_two_calls_is_estimated_and_never_in_rules) {
  const std::string file = path("cal.json");
  const auto result =
      hypermile({"calibrate", "--calls", "--sizes", "1000B:2000B", "--segments", "0", "--passes",
                 "2", "--seconds", "0.001", "--meter", "none", "-o", file},
                launcher(3)); // 1000 bytes are not the same for each
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto estimated = hypermile({"estimate", file, "--size", "1500B"});
  EXPECT_TRUE(has(estimated.out, "MPI_Scatter + MPI_Allgather")) << estimated.out;
  EXPECT_EQ(hypermile({"choose", file, "--least", "time"}).exit_code, 0);
  // Even if it is the fastest by far.
  auto calibration = tune::parse_calibration(read_file(file), file);
  std::size_t calls = 0;
  for (auto& cell : calibration.measured.at(0).cells)
    if (is_call(cell.variant)) {
      ++calls;
      cell.times.assign(2, Seconds{1e-9});
    }
  EXPECT_EQ(calls, 4U);
  write_file(file, tune::calibration_json(calibration));
  const auto chosen = hypermile({"choose", file, "--least", "time", "--confidence", "0"});
  EXPECT_TRUE(has(chosen.out, "MPI_Scatter + MPI_Allgather")) << chosen.out;
  const auto applied =
      hypermile({"apply", file, "--least", "time", "--confidence", "0", "-o", path("rules")});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_FALSE(has(applied.out, "MPI_Scatter")) << applied.out;
}

/// 2 processes with 2 threads each against 4 processes.
TEST_P(Flavoured, hybrids_with_threads_are_compared_with_pure_mpi) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "threads of a process would take turns on one CPU";
  const std::string file = path("cal.json");
  const Words common{"calibrate", "--sizes", "64KiB:128KiB", "--segments", "0",  "--passes", "2",
                     "--seconds", "0.001",   "--meter",      "none",       "-o", file};
  const auto calibrate = [&](int processes, const Words& more) {
    Words arguments = common;
    arguments.insert(arguments.end(), more.begin(), more.end());
    Words job = launcher(processes);
    if (GetParam() == "openmpi")
      job.insert(job.end(), {"--bind-to", "none"});
    return hypermile(arguments, job);
  };
  const auto first = calibrate(2, {"--threads", "2"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(has(first.err, "OMP_WAIT_POLICY=passive"), std::thread::hardware_concurrency() < 4)
      << first.err;
  EXPECT_TRUE(has(first.out, "with -n 4")) << first.out;
  const auto second = calibrate(4, {});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_TRUE(has(second.out, "--procs-per-node 4")) << second.out;

  const std::size_t algorithms = GetParam() == "openmpi" ? 9 : 3;
  const auto answer = json::parse(hypermile({"choose", file, "--least", "time", "--procs-per-node",
                                             "4", "--size", "100kB", "--json"})
                                      .out)["answers"][0];
  std::map<std::size_t, std::size_t> by_threads;
  for (const json& estimate : answer["estimates"]) {
    ++by_threads[estimate["threads"]];
    EXPECT_EQ(estimate["hybrid"], estimate["threads"] == 2);
    EXPECT_GT(estimate["time_s"]["value"], 0);
  }
  EXPECT_EQ(by_threads, (std::map<std::size_t, std::size_t>{{1, algorithms}, {2, algorithms}}));
  const auto estimated = hypermile({"estimate", file, "--procs-per-node", "4", "--size", "100kB"});
  EXPECT_TRUE(has(estimated.out, "binomial + 2 threads")) << estimated.out;
  // No library does a hybrid by itself.
  const auto applied =
      hypermile({"apply", file, "--least", "time", "--confidence", "0", "-o", path("rules")});
  EXPECT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_FALSE(has(applied.out, "threads")) << applied.out;

  const auto many = calibrate(2, {"--threads", "4000"});
  EXPECT_EQ(many.exit_code, 1);
  EXPECT_TRUE(has(many.err, "is to have 4000 threads")) << many.err;
}

TEST_P(Flavoured, what_apply_writes_is_what_the_library_does) {
  const bool openmpi = GetParam() == "openmpi";
  const std::string first = openmpi ? "basic_linear" : "scatter_recursive_doubling_allgather";
  const std::string second = openmpi ? "scatter_allgather_ring" : "scatter_ring_allgather";
  write_file(path("cal.json"), tune::calibration_json(rigged(first, second)));
  const auto applied =
      hypermile({"apply", path("cal.json"), "--least", "time", "-o", path("rules")});
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  EXPECT_TRUE(has(applied.out, path("rules"))) << applied.out;
  const auto verified = hypermile({"verify", path("rules"), "--json"}, launcher(3));
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  std::set<std::string> intended;
  const json parsed = json::parse(verified.out);
  for (const auto& one : parsed.at("observed")) {
    EXPECT_TRUE(one["as_intended"]) << one;
    if (one.contains("intended") && one["processes"] == 3)
      intended.insert(one["intended"].get<std::string>());
  }
  EXPECT_EQ(intended, (std::set{first, second})) << applied.out << verified.out;
}

/// What `apply` writes, in force by `run`: our program that shows which algorithm ran is the job.
TEST_P(Flavoured, run_puts_rules_in_force) {
  const bool openmpi = GetParam() == "openmpi";
  const std::string unusual = openmpi ? "chain" : "scatter_ring_allgather";
  write_file(path("cal.json"), tune::calibration_json(rigged(unusual, unusual)));
  const auto applied =
      hypermile({"apply", path("cal.json"), "--least", "time", "-o", path("rules")});
  EXPECT_TRUE(has(applied.out, "hypermile run --collectives " + path("rules"))) << applied.out;
  const auto observed = [&](const Words& options) {
    Words words = launcher(3);
    words.insert(words.end(),
                 {HYPERMILE_BINARY_DIR "/libexec/hypermile/" + GetParam() + "/collectives",
                  "observe", "bcast", "3:40000"});
    return run(options, words);
  };
  const auto with = observed({"--collectives", path("rules"), "--report", path("report")});
  EXPECT_EQ(with.exit_code, 0) << with.err;
  EXPECT_TRUE(has(with.out, unusual)) << with.out << with.err;
  EXPECT_TRUE(has(with.err, "by the rules in")) << with.err;
  EXPECT_EQ(json::parse(read_file(path("report/run.json"))).at("collective_rules"), path("rules"));
  const auto without = observed({});
  EXPECT_EQ(without.exit_code, 0) << without.err;
  EXPECT_FALSE(has(without.out, unusual)) << without.out;
}

TEST_P(Flavoured, run_refuses_rules_that_would_not_be_in_force) {
  const bool openmpi = GetParam() == "openmpi";
  Words words = launcher(2);
  words.insert(words.end(), {"/bin/sh", "-c", "echo > " + path("started")});
  const auto refused = [&](const CommandResult& result, const std::string& why) {
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_TRUE(has(result.err, why)) << result.err;
    EXPECT_FALSE(std::filesystem::exists(path("started")));
  };
  const Words options{"--collectives", path("rules")};
  refused(run(options, words), "does not exist");
  write_file(path("rules"), openmpi ? "1\n7\n1\n4\n1\n0 8 0 0\n" : "{}");
  refused(run(options, words), openmpi ? "no catch-all" : "is missing");
  const std::string unusual = openmpi ? "chain" : "scatter_ring_allgather";
  write_file(path("cal.json"), tune::calibration_json(rigged(unusual, unusual)));
  ASSERT_EQ(
      hypermile({"apply", path("cal.json"), "--least", "time", "-o", path("rules")}).exit_code, 0);
  const std::string variable = openmpi ? "OMPI_MCA_coll_tuned_dynamic_rules_filename"
                                       : "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
  refused(run(options, words, {{variable, "/other"}}), "the environment sets it to '/other'");
  Words by_option = words;
  const Words option = openmpi ? Words{"--mca", "coll_tuned_dynamic_rules_filename", "/other"}
                               : Words{"-genv", variable, "/other"};
  by_option.insert(by_option.begin() + 1, option.begin(), option.end());
  refused(run(options, by_option), "an option of the launcher sets it to '/other'");
  refused(run(options, {"/bin/sh", "-c", "echo > " + path("started")}), "--mpi openmpi or");
  EXPECT_EQ(run({"--mpi", GetParam()}, words).exit_code, 2);
  EXPECT_EQ(run(options, words, {{variable, path("rules")}}).exit_code, 0); // the same
}

TEST_P(Flavoured, a_library_that_does_something_else_is_found_out) {
  const bool openmpi = GetParam() == "openmpi";
  const std::string unusual = openmpi ? "chain" : "scatter_ring_allgather";
  write_file(path("cal.json"), tune::calibration_json(rigged(unusual, unusual)));
  ASSERT_EQ(
      hypermile({"apply", path("cal.json"), "--least", "time", "-o", path("rules")}).exit_code, 0);
  // Settings that are stronger than the file.
  const auto verified = hypermile(
      {"verify", path("rules")}, launcher(3),
      openmpi
          ? std::map<std::string, std::string>{{"OMPI_MCA_coll", "^tuned"}}
          : std::map<std::string, std::string>{{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}});
  EXPECT_EQ(verified.exit_code, 1) << verified.out;
  EXPECT_TRUE(has(verified.out, "WRONG, intended: " + unusual)) << verified.out;
}

TEST_P(Flavoured, a_file_of_rules_that_is_missing_or_none_is_refused_before_the_job) {
  const auto missing = hypermile({"verify", path("missing")}, launcher(2));
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(has(missing.err, "does not exist")) << missing.err;
  write_file(path("rules"), GetParam() == "openmpi" ? "1\n7\n1\n4\n1\n0 8 0 0\n" : "{}");
  const auto trap = hypermile({"verify", path("rules")}, launcher(2));
  EXPECT_EQ(trap.exit_code, 1);
  EXPECT_TRUE(has(trap.err, GetParam() == "openmpi" ? "no catch-all" : "is missing")) << trap.err;
}

/// Twice interrupted: what the first run measured is the beginning of what the second has.
TEST_P(Flavoured, an_interrupted_calibration_keeps_what_is_finished_and_goes_on) {
  const std::string file = path("cal.json");
  const auto times = [&] {
    std::map<std::pair<std::string, std::size_t>, std::vector<Seconds>> all;
    const auto calibration = tune::parse_calibration(read_file(file), file);
    for (const auto& cell : calibration.measured.at(0).cells)
      all[{label(cell.variant), cell.size_b}] = cell.times;
    return all;
  };
  const auto run_and_interrupt = [&](const std::string& earlier) {
    RunningCommand running(words({"calibrate", "--sizes", "64KiB:128KiB", "--passes", "300",
                                  "--seconds", "0.1", "-q", "-o", file},
                                 launcher(2)),
                           "", job_environment(folder_.path("tmp")));
    for (int i = 0; i < 600 && read_file(file) == earlier; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    running.signal(SIGINT);
    const auto result = running.wait();
    expect_nothing_left(folder_.path("tmp"));
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_TRUE(has(result.err, "the same command goes on")) << result.err;
  };
  run_and_interrupt("");
  const auto first = times();
  run_and_interrupt(read_file(file));
  auto second = times();
  std::size_t more = 0;
  for (const auto& [cell, values] : second)
    more += values.size();
  for (const auto& [cell, values] : first) {
    ASSERT_GE(second[cell].size(), values.size());
    EXPECT_TRUE(std::equal(values.begin(), values.end(), second[cell].begin()));
    more -= values.size();
  }
  EXPECT_GT(more, 0U);
}

INSTANTIATE_TEST_SUITE_P(Mpi, Flavoured, testing::ValuesIn(flavours()),
                         [](const auto& instance) { return instance.param; });

class BcastInput : public Bcast {};

TEST_F(BcastInput, a_file_that_is_no_calibration_is_never_overwritten) {
  const std::string file = path("thesis.txt");
  for (const std::string text : {"years of work", "{\"schema\": \"hypermile/plan/1\"}", ""}) {
    write_file(file, text);
    const auto result =
        hypermile({"calibrate", "-o", file}, {"/bin/sh", "-c", "echo > " + path("started")});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(has(result.err, file)) << result.err;
    EXPECT_EQ(read_file(file), text);
    EXPECT_FALSE(std::filesystem::exists(path("started")));
  }
}

TEST_F(BcastInput, says_what_is_wrong_with_the_command_line) {
  for (const Words& arguments :
       std::vector<Words>{{},
                          {"calibrate"},
                          {"estimate", "cal.json"},
                          {"estimate", "cal.json", "--size", "5"},
                          {"estimate", "cal.json", "--size", "1MB", "--switches", "1"},
                          {"choose", "cal.json", "--least", "noise"},
                          {"choose", "cal.json", "--confidence", "100%"},
                          {"apply", "cal.json"},
                          {"calibrate", "--sizes", "2MiB:1MiB", "--", "mpirun"},
                          {"calibrate", "--segments", "1KiB,1KiB", "--", "mpirun"},
                          {"calibrate", "--arrival", "uniform", "--", "mpirun"},
                          {"calibrate", "--threads", "1", "--", "mpirun"},
                          {"calibrate", "--procs-per-node", "0", "--", "mpirun"},
                          {"calibrate", "--threads", "2,x", "--", "mpirun"},
                          {"apply", "cal.json", "--commutative", "-o", "rules"},
                          {"calibrate", "--seconds", "0", "--", "mpirun"},
                          {"calibrate", "--seconds", "1s", "--", "mpirun"},
                          {"calibrate", "--meter", "none", "--platform", "d13", "--", "mpirun"},
                          {"calibrate", "--mpi", "lam", "--", "mpirun"}}) {
    const auto result = hypermile(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_TRUE(has(result.err, "try: hypermile bcast")) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(BcastInput, a_file_of_another_collective_is_refused) {
  const auto reduced = rigged_for(collective::Library::openmpi, "ring", "ring", "allreduce");
  write_file(path("cal.json"), tune::calibration_json(reduced));
  for (const Words& words : std::vector<Words>{{"choose", path("cal.json")},
                                               {"estimate", path("cal.json"), "--size", "1MB"},
                                               {"apply", path("cal.json"), "-o", path("rules")}}) {
    const auto result = hypermile(words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(has(result.err, "is a calibration of allreduce, not of bcast")) << result.err;
  }
  write_file(path("rules"), "1\n2\n1\n0\n1\n0 3 0 0\n");
  const auto verified = hypermile({"verify", path("rules"), "--mpi", "openmpi"}, {"/bin/true"});
  EXPECT_EQ(verified.exit_code, 1);
  EXPECT_TRUE(has(verified.err, "has no rules for bcast")) << verified.err;
}

/// Open MPI 4.1.4 was seen to give wrong results with its rings and matrix products.
TEST_F(BcastInput, rings_of_allreduce_are_chosen_only_if_all_operations_commute) {
  const auto reduced =
      rigged_for(collective::Library::openmpi, "ring", "recursive_doubling", "allreduce");
  write_file(path("cal.json"), tune::calibration_json(reduced));
  const Words words{"allreduce", "apply", path("cal.json"), "--least", "time", "--confidence",
                    "0",         "-o",    path("rules")};
  const auto careful = collective(words);
  EXPECT_EQ(careful.exit_code, 0) << careful.err;
  EXPECT_FALSE(has(careful.out, "ring")) << careful.out;
  EXPECT_TRUE(has(careful.err, "--commutative")) << careful.err;
  Words told = words;
  told.emplace_back("--commutative");
  const auto all = collective(told);
  EXPECT_TRUE(has(all.out, "ring\n")) << all.out;
  EXPECT_EQ(all.err, "");
}

TEST_F(BcastInput, calibrations_that_do_not_belong_together_make_no_rules) {
  auto reduced = rigged_for(collective::Library::openmpi, "ring", "ring", "allreduce");
  write_file(path("one.json"), tune::calibration_json(reduced));
  reduced.conditions.collective = "allgather";
  reduced.conditions.machine = "another";
  reduced.measured.clear();
  cell_of(reduced, 1, 3, {.algorithm = "ring"}, 1000).times = {Seconds{1}};
  write_file(path("two.json"), tune::calibration_json(reduced));
  for (const auto& [other, why] :
       {std::pair{"two.json", "machine was"}, {"one.json", "second calibration of allreduce"}}) {
    const auto result = collective({"apply", path("one.json"), path(other), "-o", path("rules")});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(has(result.err, why)) << result.err;
    EXPECT_FALSE(std::filesystem::exists(path("rules")));
  }
}

TEST_F(BcastInput, a_launcher_of_no_known_mpi_is_refused) {
  const auto result = hypermile({"calibrate"}, {"/bin/true"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(has(result.err, "--mpi openmpi or --mpi mpich")) << result.err;
}

TEST_F(BcastInput, energy_needs_power) {
  collective::Calibration calibration{.passes = 1};
  cell_of(calibration, 1, 2, {.algorithm = "chain"}, 1000).times = {Seconds{1}};
  write_file(path("cal.json"), tune::calibration_json(calibration));
  const auto result = hypermile({"choose", path("cal.json")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(has(result.err, "--least time")) << result.err;
  EXPECT_EQ(hypermile({"choose", path("cal.json"), "--least", "time"}).exit_code, 0);
}

} // namespace
} // namespace hypermile::test
