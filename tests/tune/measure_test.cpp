#include "tune/measure.hpp"

#include "tune/conditions.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>

namespace hypermile::tune {
namespace {

const Launch openmpi{
    .library = collective::Library::openmpi, .launcher = {"mpirun"}, .program_folder = ""};
const Hello hello{.library = "openmpi", .processes = 4, .nodes = 1, .version = "Open MPI v4.1.4"};

collective::Calibration begin(const std::optional<collective::Calibration>& earlier,
                              const Plan& plan = {}, const Hello& now = hello,
                              const Power& power = {}) {
  Plan of_bcast = plan;
  if (of_bcast.collective == nullptr)
    of_bcast.collective = &collective::collective_named("bcast");
  return begin_calibration(earlier, of_bcast, openmpi, {now}, power);
}

void expect_earlier_refused(const collective::Calibration& earlier, const Plan& plan,
                            const Hello& now, const Power& power, const std::string& why) {
  try {
    (void)begin(earlier, plan, now, power);
    ADD_FAILURE() << "goes on: " << why;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("another file"), std::string::npos);
  }
}

TEST(Measure, has_parts_of_a_job_that_has_as_many_processes_on_each_node) {
  const Hello job{.library = "openmpi", .processes = 12, .nodes = 3, .version = "4.1"};
  const Hello part = part_of(job, 2);
  EXPECT_EQ(part.processes, 6U);
  EXPECT_EQ(part.nodes, 3U);
  EXPECT_EQ(part.processes_per_node(), 2U);
  EXPECT_EQ(part.version, job.version);
  EXPECT_EQ(part_of(job, 4).processes, 12U);
  EXPECT_EQ(part_of(job, 1).processes, 3U);
  EXPECT_THROW((void)part_of(job, 5), Error);
  EXPECT_THROW((void)part_of(hello, 1), Error); // has nobody to send to
}

TEST(Measure, goes_on_under_the_same_conditions_only) {
  const auto fresh = begin(std::nullopt);
  EXPECT_NO_THROW((void)begin(fresh));
  Hello newer = hello;
  newer.version = "Open MPI v4.1.5";
  expect_earlier_refused(fresh, {}, newer, {},
                         "MPI version was 'Open MPI v4.1.4' and is 'Open MPI v4.1.5'");
  auto moved = fresh;
  moved.conditions.machine = "another machine";
  expect_earlier_refused(moved, {}, hello, {}, "machine was 'another machine'");
  expect_earlier_refused(fresh, {.seed = 2}, hello, {}, "seed was 1 and is 2");
  expect_earlier_refused(fresh, {.seconds_per_cell = 1}, hello, {}, "time per cell");
  expect_earlier_refused(fresh, {}, hello,
                         {.kind = collective::PowerKind::modelled, .source = "platform x"},
                         "source of power");
  expect_earlier_refused(fresh, {.collective = &collective::collective_named("alltoall")}, hello,
                         {}, "collective was 'bcast' and is 'alltoall'");
  expect_earlier_refused(fresh, {.arrival = collective::parse_arrival("uniform:5ms")}, hello, {},
                         "arrival of processes was 'together' and is 'uniform:0.005s'");
  auto other = fresh;
  other.conditions.library = collective::Library::mpich;
  expect_earlier_refused(other, {}, hello, {}, "MPI library was 'mpich'");
}

TEST(Measure, more_passes_add_to_a_calibration_and_fewer_take_nothing_away) {
  const auto fresh = begin(std::nullopt, {.passes = 4});
  EXPECT_EQ(begin(fresh, {.passes = 9}).passes, 9U);
  EXPECT_EQ(begin(fresh, {.passes = 2}).passes, 4U);
}

TEST(Measure, sizes_double_and_end_with_the_last) {
  EXPECT_EQ(doubling(100, 500), (std::vector<std::size_t>{100, 200, 400, 500}));
  EXPECT_EQ(doubling(100, 400), (std::vector<std::size_t>{100, 200, 400}));
  EXPECT_EQ(doubling(7, 7), (std::vector<std::size_t>{7}));
}

TEST(Measure, sizes_that_the_operation_cannot_have_are_refused) {
  const auto& allreduce = collective::collective_named("allreduce");
  const auto& alltoall = collective::collective_named("alltoall");
  EXPECT_NO_THROW(check_sizes(allreduce, {8, 1000, 1U << 30U}, 100));
  EXPECT_THROW(check_sizes(allreduce, {1001}, 4), Error);
  EXPECT_NO_THROW(check_sizes(alltoall, {1, (1U << 30U) - 1}, 2));
  EXPECT_THROW(check_sizes(alltoall, {1U << 30U}, 2), Error);
  EXPECT_NO_THROW(check_sizes(collective::collective_named("bcast"), {1U << 30U}, 2));
}

TEST(Measure, threads_whose_buffers_do_not_fit_into_memory_are_refused) {
  EXPECT_NO_THROW(check_threads({.sizes_b = {1U << 30U}}, 4096)); // no threads
  EXPECT_NO_THROW(check_threads({.sizes_b = {1000}, .threads = {2, 8}}, 4));
  EXPECT_THROW(check_threads({.sizes_b = {1U << 30U}, .threads = {2, 4096}}, 4096), Error);
}

TEST(Measure, rules_are_made_together_of_one_library_machine_and_arrival) {
  const auto bcast = begin(std::nullopt).conditions;
  auto other = begin(std::nullopt, {.collective = &collective::collective_named("alltoall"),
                                    .seconds_per_cell = 1})
                   .conditions;
  EXPECT_NO_THROW(check_same_library(bcast, other));
  other.arrival = collective::parse_arrival("normal:1ms");
  EXPECT_THROW(check_same_library(bcast, other), Error);
  other.arrival = {};
  other.version = "another";
  EXPECT_THROW(check_same_library(bcast, other), Error);
}

TEST(Measure, algorithms_that_have_segments_come_with_each) {
  const auto& bcast = collective::collective_named("bcast");
  const auto variants = variants_of(bcast, collective::Library::openmpi, {0, 1024});
  EXPECT_EQ(variants.size(), 9U + 6U + 1U); // six of nine have segments
  EXPECT_EQ(variants.back().algorithm, collective::library_choice.name);
  EXPECT_EQ(variants_of(bcast, collective::Library::mpich, {0, 1024}).size(), 3U + 1U);
  const auto simulated = variants_of(bcast, collective::Library::smpi, {0});
  EXPECT_EQ(simulated.size(), algorithms_of(bcast, collective::Library::smpi).size());
}

TEST(Measure, threads_sleep_where_there_are_more_than_cpus_unless_the_user_says_otherwise) {
  std::map<std::string, std::string> variables;
  const auto environment = [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  const auto waiting = [&](std::vector<std::size_t> threads, std::size_t processes) {
    return waiting_of_threads({.threads = std::move(threads)}, processes, 8, environment);
  };
  const control::Variables passive{{"OMP_WAIT_POLICY", "passive"}};
  EXPECT_EQ(waiting({4}, 2), control::Variables{});
  EXPECT_EQ(waiting({}, 9), control::Variables{});
  EXPECT_EQ(waiting({2, 5}, 2), passive);
  EXPECT_EQ(waiting({9}, 1), passive);
  for (const char* const name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"}) {
    variables = {{name, "active"}};
    EXPECT_EQ(waiting({9}, 1), control::Variables{}) << name;
  }
}

} // namespace
} // namespace hypermile::tune
