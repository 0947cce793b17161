#pragma once

#include "support/command_line.hpp"
#include "support/fake_kernel.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hypermile::test {

/// One of the nodes n1, n2, ... of tests/nodes/beside-nodes, with a sysfs of its own: CPUs whose
/// frequencies follow what is set, and no energy counter.
class FakeNode {
public:
  FakeNode(std::string name, FakeSysfs::Driver driver);
  ~FakeNode();
  FakeNode(const FakeNode&) = delete;
  FakeNode& operator=(const FakeNode&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// What the node sees as /run/node.
  [[nodiscard]] std::string folder() const { return "/run/nodes/" + name_; }
  [[nodiscard]] const FakeSysfs& sysfs() const { return sysfs_; }
  [[nodiscard]] bool is_as_before() const { return sysfs_.settings() == before_; }
  [[nodiscard]] const std::map<std::string, std::string>& before() const { return before_; }
  /// Of hypermile, in its TMPDIR.
  [[nodiscard]] std::vector<std::string> left_in_tmp() const;
  /// What a shell of the node says to the line.
  [[nodiscard]] CommandResult shell(const std::string& line) const;

private:
  std::string name_;
  FakeSysfs sysfs_;
  FakeKernel kernel_{sysfs_};
  std::map<std::string, std::string> before_ = sysfs_.settings();
};

/// Tests of jobs of one MPI with a rank on each of two nodes; `hypermile run` runs on n1. n1 has
/// acpi-cpufreq, n2 intel_pstate, and they differ in speed and power.
class JobOnNodes : public testing::TestWithParam<std::string> {
protected:
  JobOnNodes();
  /// Ends what still runs, in whatever way the test ends.
  ~JobOnNodes() override;

  /// Two ranks that compute for `work` microseconds in each of the iterations.
  [[nodiscard]] static std::string program();
  [[nodiscard]] static std::string job(int iterations, int work = 2000);
  /// mpirun and its options, for a rank on each of these; and for so many on each of the nodes.
  [[nodiscard]] static std::string mpirun(const std::string& hosts = "n1,n2");
  [[nodiscard]] static std::string mpirun(std::size_t ranks_per_node);

  /// `hypermile run [options] -- LAUNCHED` on node n1.
  void start(const std::string& launched, const std::string& options = "");
  /// Any line, on node n1, with the environment of a job. $HYPERMILE is the command.
  void start_line(const std::string& line);
  CommandResult wait();
  CommandResult run(const std::string& launched, const std::string& options = "");

  /// Its report; null: there is none.
  [[nodiscard]] nlohmann::json report() const;
  /// A file on n1; empty: there is none.
  [[nodiscard]] std::string on_n1(const std::string& file) const;

  static void wait_until(const std::string& what, const std::function<bool()>& true_at_last);
  /// On both nodes, some frequency is what hypermile has set.
  void wait_for_gears();
  /// Both nodes, now or soon: a guard may be about to do it.
  void expect_restored();
  /// Neither processes nor files, on any node. Once the job has ended.
  void expect_nothing_left();

  /// The process that runs this program, on either node.
  [[nodiscard]] static std::vector<pid_t> processes(const std::string& program);
  /// The first of them gets the signal.
  static void send(int signal, const std::string& program);
  /// The program that mpirun is.
  [[nodiscard]] static std::string launcher();

  FakeNode n1{"n1", FakeSysfs::Driver::acpi_cpufreq};
  FakeNode n2{"n2", FakeSysfs::Driver::intel_pstate};

private:
  std::unique_ptr<RunningCommand> running_;
};

} // namespace hypermile::test
