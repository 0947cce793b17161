// Sweeps over a script that says how often it was started.

#include "sweep/sweep.hpp"

#include "sweep/fake_study.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace hypermile::sweep {
namespace {

namespace fs = std::filesystem;
using study::Outcome;
using Status = Outcome::Status;
using test::FakeStudy;

std::vector<Status> statuses(const std::vector<Outcome>& outcomes) {
  std::vector<Status> all;
  for (const Outcome& outcome : outcomes)
    all.push_back(outcome.status);
  return all;
}

const std::vector<Status> four_done(4, Status::done);

TEST(a_sweep, simulates_each_cell_once_and_each_computation_once) {
  const FakeStudy fake({"A", "B"});
  const auto outcomes = fake.sweep();
  EXPECT_EQ(statuses(outcomes), four_done);
  EXPECT_EQ(outcomes[0].runs.size(), 2U);
  EXPECT_EQ(outcomes[0].runs[1].energy, Joules{80});
  for (const char* line : {"record A", "record B", "simulate A one", "simulate A two",
                           "simulate B one", "simulate B two"})
    EXPECT_EQ(fake.count(line), 1U) << line;
}

TEST(a_sweep, records_with_nothing_beside) {
  for (const std::size_t jobs : {1U, 2U, 4U}) {
    const FakeStudy fake({"A", "B", "C", "bad", "D"}, {"one", "two"});
    fake.sweep(jobs);
    for (const char* line : {"record A", "record B", "record C", "record D"})
      EXPECT_EQ(fake.count(line), 1U) << line;
    EXPECT_EQ(fake.count("beside a recording"), 0U) << jobs;
  }
}

TEST(a_sweep, counts_the_time_of_a_recording_to_the_cell_that_makes_it) {
  const FakeStudy fake({"A"}, {"one"});
  const auto lock = fake.results().lock(FileLock::Kind::alone); // makes the folder
  std::vector<std::string> steps;
  const auto outcomes = run(fake.places(), fake.results(),
                            {.command = fake.path("hypermile"), .study_folder = fake.path("")},
                            {.step = [&](const std::string& text) { steps.push_back(text); },
                             .status = [](const std::string&) {}});
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[1], "app A, 2 ranks, one: recorded in 1 s");
  EXPECT_GT(outcomes[0].took, Seconds{});
}

TEST(a_sweep, repeats_nothing_that_is_finished) {
  const FakeStudy fake({"A", "B"});
  fake.sweep();
  fake.write("log", "");
  EXPECT_EQ(statuses(fake.sweep()), four_done);
  EXPECT_EQ(io::read_text_file(fake.path("log")), "");
}

TEST(a_sweep, hands_the_recording_to_every_cell_that_shares_it) {
  const FakeStudy fake({"A"});
  const auto places = fake.places();
  EXPECT_EQ(fake.results().recording_of(places[0]), fake.results().recording_of(places[1]));
  fake.sweep();
  EXPECT_EQ(io::read_text_file(fake.results().recording_of(places[0])), "A\n");
  EXPECT_FALSE(fs::exists(fake.results().recording_of(places[0]) + ".lock"));
}

TEST(a_sweep, keeps_the_recording_where_only_methods_have_changed) {
  FakeStudy fake({"A"});
  fake.sweep();
  fake.study.methods = {"exact", "alg5"};
  EXPECT_EQ(statuses(collect(fake.places(), fake.results())),
            std::vector<Status>(2, Status::missing));
  fake.sweep();
  EXPECT_EQ(fake.count("record A"), 1U);
  EXPECT_EQ(fake.count("simulate A one"), 2U);
}

TEST(a_sweep, simulates_again_exactly_what_a_changed_file_belongs_to) {
  const FakeStudy fake({"A"});
  fake.sweep();
  fake.write("two", "another platform");
  fake.sweep();
  EXPECT_EQ(fake.count("simulate A one"), 1U);
  EXPECT_EQ(fake.count("simulate A two"), 2U);
  fake.write("app", "another program");
  fake.sweep();
  EXPECT_EQ(fake.count("record A"), 2U);
  EXPECT_EQ(fake.count("simulate A one"), 2U);
  EXPECT_EQ(fake.count("simulate A two"), 3U);
  fs::remove(fake.path("app")); // as it was
  fake.sweep();
  EXPECT_EQ(fake.count("simulate A one"), 2U);
}

TEST(a_failed_cell, is_an_outcome_and_not_the_end) {
  const FakeStudy fake({"bad", "B"});
  const auto outcomes = fake.sweep();
  EXPECT_EQ(statuses(outcomes),
            (std::vector<Status>{Status::failed, Status::failed, Status::done, Status::done}));
  EXPECT_EQ(outcomes[0].reason, "one / no  luck"); // without what would steer a terminal
}

TEST(a_failed_cell, is_simulated_again_only_if_asked) {
  const FakeStudy fake({"bad"}, {"one"});
  fake.sweep();
  EXPECT_EQ(statuses(fake.sweep()), std::vector<Status>{Status::failed});
  EXPECT_EQ(fake.count("record bad"), 1U);
  EXPECT_EQ(statuses(fake.sweep(2, true)), std::vector<Status>{Status::failed});
  EXPECT_EQ(fake.count("record bad"), 2U);
}

TEST(a_cell, that_prints_no_simulation_has_failed) {
  FakeStudy fake({"odd"}, {"one"});
  fake.study.options = {{"computation", {"given"}}};
  const auto outcomes = fake.sweep();
  EXPECT_EQ(outcomes[0].status, Status::failed);
}

TEST(a_cell, whose_simulation_somebody_ended_is_missing_and_done_next_time) {
  const FakeStudy fake({"ended"}, {"one"});
  EXPECT_EQ(statuses(fake.sweep()), std::vector<Status>{Status::missing});
  EXPECT_EQ(statuses(fake.sweep()), std::vector<Status>{Status::missing});
  EXPECT_EQ(fake.count("record ended"), 2U);
}

TEST(a_result, that_is_cut_off_is_made_again) {
  const FakeStudy fake({"A"});
  fake.sweep();
  const std::string file = fake.results().file_of(fake.places()[0]);
  fs::resize_file(file, fs::file_size(file) / 2);
  EXPECT_EQ(statuses(fake.sweep()), std::vector<Status>(2, Status::done));
  EXPECT_EQ(fake.count("simulate A one"), 2U);
  EXPECT_EQ(fake.count("simulate A two"), 1U);
}

TEST(a_sweep, without_hypermile_says_so_and_keeps_nothing) {
  const FakeStudy fake({"A"});
  fs::remove(fake.path("hypermile"));
  EXPECT_THROW((void)fake.sweep(), Error);
  EXPECT_EQ(statuses(collect(fake.places(), fake.results())),
            std::vector<Status>(2, Status::missing));
}

TEST(a_sweep, runs_as_many_cells_at_a_time_as_it_may) {
  for (const std::size_t jobs : {1U, 3U}) {
    FakeStudy fake({"slow"}, {"one", "two", "three", "four"});
    fake.study.options = {{"computation", {"given"}}}; // so that nobody waits for a recording
    const pid_t sweep = test::in_another_process([&] { fake.sweep(jobs); });
    const auto begun = [&] {
      std::size_t cells = 0;
      for (const std::string& platform : fake.study.platforms)
        cells += fake.count("simulate slow " + platform);
      return cells;
    };
    while (begun() < jobs)
      std::this_thread::yield();
    EXPECT_EQ(begun(), jobs);
    fake.write("go", "");
    EXPECT_EQ(test::end_of_process(sweep), 0);
    EXPECT_EQ(begun(), 4U);
  }
}

TEST(cells_in_other_processes, wait_for_the_recording_that_one_of_them_makes) {
  const FakeStudy fake({"slow"}, {"one", "two", "three"});
  const auto places = fake.places();
  const auto results = fake.results();
  (void)results.lock(FileLock::Kind::shared); // makes the folder
  std::vector<pid_t> tasks;
  for (const Place& place : places)
    tasks.push_back(test::in_another_process([&] {
      run({place}, results, {.command = fake.path("hypermile"), .study_folder = fake.path("")},
          {.step = [](const std::string&) {}, .status = [](const std::string&) {}});
    }));
  while (fake.count("record slow") == 0)
    std::this_thread::yield();
  fake.write("go", "");
  for (const pid_t task : tasks)
    EXPECT_EQ(test::end_of_process(task), 0);
  EXPECT_EQ(fake.count("record slow"), 1U);
  EXPECT_EQ(statuses(collect(places, results)), std::vector<Status>(3, Status::done));
}

} // namespace
} // namespace hypermile::sweep
