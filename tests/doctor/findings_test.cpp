// What the doctor finds, one thing at a time.

#include "control/journal.hpp"
#include "doctor/fake_machine.hpp"
#include "doctor/program_output.hpp"
#include "doctor/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include <sys/stat.h>

using namespace hypermile;
using namespace hypermile::doctor;

namespace {

struct Findings : testing::Test {
  test::FakeMachine machine;

  void journal(const std::string& boot, const control::Owner& owner, bool with_setting) const {
    std::string text = control::begin_line(boot) + control::owner_line(owner);
    if (with_setting)
      text += control::was_line({machine.sysfs() + "/x/scaling_max_freq", "1"});
    machine.file(control::journal_path(machine.places().node).substr(machine.root().size()),
                 text.substr(0, text.size() - 1));
  }
};

control::Owner someone_who_ended() {
  control::Owner owner = control::this_process("4711", "./cg");
  owner.start += 1; // another process of the same number
  return owner;
}

} // namespace

TEST_F(Findings, of_a_free_node) {
  EXPECT_EQ(examine_node(machine.places()).state, NodeUse::State::free);
}

TEST_F(Findings, of_a_node_whose_gears_somebody_sets) {
  journal(control::boot_id(), control::this_process("4711", "./cg"), true);
  const NodeUse node = examine_node(machine.places());
  EXPECT_EQ(node.state, NodeUse::State::in_use);
  EXPECT_NE(node.what.find("job 4711"), std::string::npos) << node.what;
}

TEST_F(Findings, of_a_node_where_a_run_left_settings) {
  journal(control::boot_id(), someone_who_ended(), true);
  const NodeUse node = examine_node(machine.places());
  EXPECT_EQ(node.state, NodeUse::State::left_behind);
  EXPECT_TRUE(node.what.starts_with("1 setting of job 4711")) << node.what;
  EXPECT_TRUE(node.what.ends_with("which ended; try: hypermile restore")) << node.what;
}

TEST_F(Findings, of_a_node_where_a_run_restored_everything) {
  journal(control::boot_id(), someone_who_ended(), false);
  EXPECT_EQ(examine_node(machine.places()).state, NodeUse::State::free);
}

TEST_F(Findings, of_a_node_that_has_booted_since) {
  journal("00000000-0000-0000-0000-000000000000", control::this_process("", "x"), true);
  EXPECT_EQ(examine_node(machine.places()).state, NodeUse::State::free);
}

TEST_F(Findings, of_a_journal_that_is_none) {
  machine.file(control::journal_path(machine.places().node).substr(machine.root().size()),
               "what is this");
  const NodeUse node = examine_node(machine.places());
  EXPECT_EQ(node.state, NodeUse::State::unknown);
  EXPECT_NE(node.what.find(":1: "), std::string::npos) << node.what;
}

TEST_F(Findings, of_a_journal_that_cannot_be_read_do_not_wait_for_it) {
  const std::string path = control::journal_path(machine.places().node);
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const NodeUse node = examine_node(machine.places());
  EXPECT_EQ(node.state, NodeUse::State::unknown);
  EXPECT_NE(node.what.find("it is no regular file"), std::string::npos) << node.what;
}

TEST_F(Findings, make_nothing) {
  (void)machine.examined();
  EXPECT_FALSE(std::filesystem::exists(machine.root() + "/state"));
}

TEST_F(Findings, of_a_control_group_with_cpus_of_its_own) {
  machine.file("/proc/self/cgroup", "0::/slurm/job_7");
  machine.file("/sys/fs/cgroup/slurm/job_7/cpuset.cpus.effective", "4-7");
  EXPECT_EQ(examine_pinning(machine.places()).cpuset, "4-7");
}

TEST_F(Findings, of_a_control_group_of_the_first_version) {
  machine.file("/proc/self/cgroup", "5:cpuset:/job\n4:cpu,cpuacct:/job\n0::/");
  machine.file("/sys/fs/cgroup/cpuset/job/cpuset.effective_cpus", "0,2");
  machine.file("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "150000");
  machine.file("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  const Pinning pinning = examine_pinning(machine.places());
  EXPECT_EQ(pinning.cpuset, "0,2");
  EXPECT_EQ(pinning.quota, 1.5);
}

TEST_F(Findings, of_the_smallest_quota_of_all_groups_around) {
  machine.file("/proc/self/cgroup", "0::/a/b");
  machine.file("/sys/fs/cgroup/a/b/cpu.max", "max 100000");
  machine.file("/sys/fs/cgroup/a/cpu.max", "200000 100000");
  EXPECT_EQ(examine_pinning(machine.places()).quota, 2);
  machine.file("/sys/fs/cgroup/a/b/cpu.max", "50000 100000");
  EXPECT_EQ(examine_pinning(machine.places()).quota, 0.5);
}

TEST_F(Findings, of_no_quota) {
  machine.file("/proc/self/cgroup", "0::/a\nnonsense\n:");
  machine.file("/sys/fs/cgroup/a/cpu.max", "max 100000");
  machine.file("/sys/fs/cgroup/cpu.max", "-1 100000");
  EXPECT_EQ(examine_pinning(machine.places()).quota, std::nullopt);
}

TEST_F(Findings, of_both_flavours_of_mpi) {
  machine.program("mpirun", "mpirun (Open MPI) 4.1.4\n\nReport bugs to ...");
  machine.program("mpiexec", "mpiexec (OpenRTE) 4.1.4");
  machine.program("mpirun.mpich", "HYDRA build details:\n    Version:             4.0.2\n");
  const auto flavours = examine_mpi(machine.places());
  ASSERT_EQ(flavours.size(), 2U);
  EXPECT_EQ(flavours[0].flavour, "openmpi");
  EXPECT_EQ(flavours[0].version, "4.1.4");
  EXPECT_EQ(flavours[0].launcher, machine.root() + "/bin/mpirun");
  EXPECT_TRUE(flavours[0].library_installed);
  EXPECT_EQ(flavours[1].flavour, "mpich");
  EXPECT_EQ(flavours[1].version, "4.0.2");
  EXPECT_FALSE(flavours[1].library_installed);
}

TEST_F(Findings, of_an_mpi_whose_library_nothing_loads) {
  machine.program("mpirun", "mpirun (Open MPI) 4.1.4");
  std::filesystem::remove(machine.root() + "/lib/hypermile/libhypermile-preload.so");
  EXPECT_FALSE(examine_mpi(machine.places()).at(0).library_installed);
}

TEST_F(Findings, of_an_mpi_that_is_not_known) {
  machine.program("mpirun", "Platform MPI 9.1");
  const auto flavours = examine_mpi(machine.places());
  ASSERT_EQ(flavours.size(), 1U);
  EXPECT_EQ(flavours[0].flavour, "other");
  EXPECT_EQ(flavours[0].version, "Platform MPI 9.1");
  EXPECT_FALSE(flavours[0].library_installed);
}

TEST_F(Findings, of_an_mpi_that_does_not_tell_what_it_is) {
  machine.program("mpirun", "");
  EXPECT_EQ(examine_mpi(machine.places()).at(0).version, "");
  const std::string text = print_examination(machine.examined());
  EXPECT_NE(text.find("--version"), std::string::npos) << text;
  EXPECT_EQ(text.find("says ''"), std::string::npos) << text;
}

TEST_F(Findings, of_no_mpi_and_no_simulator) {
  EXPECT_TRUE(examine_mpi(machine.places()).empty());
  EXPECT_EQ(examine_simulator(machine.places()).version, "");
}

TEST_F(Findings, of_a_simulator) {
  machine.program("smpirun", "SimGrid version 3.32");
  machine.file("/lib/hypermile/libhypermile-smpi.so", "");
  EXPECT_EQ(examine_simulator(machine.places()).version, "3.32");
  EXPECT_TRUE(examine_simulator(machine.places()).library_installed);
}

TEST_F(Findings, as_json_have_the_keys_of_the_documentation) {
  machine.packages(1);
  machine.frequencies(test::FakeSysfs::Driver::acpi_cpufreq, 2);
  const auto json = nlohmann::json::parse(examination_json(machine.examined()));
  EXPECT_EQ(json.at("schema"), "hypermile/doctor/2");
  const auto& counters = json.at("meters").at(0);
  EXPECT_EQ(counters.at("what"), "1 package, 1 DRAM");
  EXPECT_EQ(counters.at("parts").at(0).at("name"), "package-0");
  const auto& cpufreq = json.at("backends").at(0);
  EXPECT_EQ(cpufreq.at("usable"), true);
  EXPECT_EQ(cpufreq.at("gears").at(0).at("frequency_ghz"), 2.601);
  EXPECT_EQ(cpufreq.at("parts").size(), 2U);
  EXPECT_EQ(json.at("sets_gears"), true);
  EXPECT_EQ(json.at("cpus").at("cores"), 2);
  EXPECT_EQ(json.at("node").at("state"), "free");
  EXPECT_EQ(json.at("host").at("kernel"), "6.1.0-13-amd64");
  std::ifstream file(std::string(HYPERMILE_SOURCE_DIR) + "/docs/doctor.md");
  const std::string documentation{std::istreambuf_iterator<char>(file), {}};
  for (const auto& [key, value] : json.items())
    EXPECT_NE(documentation.find("`" + key), std::string::npos) << key;
}

TEST_F(Findings, as_json_stand_bytes_that_are_no_text) {
  machine.program("mpirun", "\xff\xfe");
  EXPECT_TRUE(nlohmann::json::accept(examination_json(machine.examined())));
}

TEST(ProgramOutput, is_what_the_program_prints_on_both_streams) {
  EXPECT_EQ(output_of({"/bin/sh", "-c", "echo a; echo b >&2"}, Seconds{60}), "a\nb\n");
}

TEST(ProgramOutput, is_none_of_a_program_that_does_not_end) {
  EXPECT_EQ(output_of({"/bin/sh", "-c", "echo a; sleep 600"}, Seconds{0.05}), std::nullopt);
}

TEST(ProgramOutput, is_none_of_a_program_that_there_is_not) {
  EXPECT_EQ(output_of({"/nowhere/mpirun", "--version"}, Seconds{60}), std::nullopt);
}

TEST(ProgramOutput, of_a_babbler_is_cut) {
  const auto text = output_of({"/bin/sh", "-c", "while echo babble; do :; done"}, Seconds{60});
  ASSERT_TRUE(text);
  EXPECT_LT(text->size(), 100000U);
}
