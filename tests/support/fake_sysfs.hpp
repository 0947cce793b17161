#pragma once

#include "support/temporary_folder.hpp"

#include <map>
#include <string>
#include <vector>

namespace hypermile::test {

/// A folder like /sys, with the frequencies of a machine in it.
class FakeSysfs {
public:
  enum class Driver {
    acpi_cpufreq,  ///< 1.2, 1.6, 2.0, 2.4, 2.6 GHz and turbo; governors ondemand (set), userspace
    intel_pstate,  ///< active: 0.8 to 3.5 GHz; governors powersave (set), performance
    intel_cpufreq, ///< intel_pstate, passive: the same; governors schedutil (set), userspace
    amd_pstate     ///< 0.4 to 3.35 GHz; governors powersave (set), performance
  };
  /// `domains`: the CPUs of each policy; a policy is called after its first CPU.
  FakeSysfs(Driver driver, const std::vector<std::vector<int>>& domains);

  [[nodiscard]] std::string root() const { return folder_.path(); }
  /// Of policy `number`.
  [[nodiscard]] std::string path(int number, const std::string& file) const;
  [[nodiscard]] std::string read(int number, const std::string& file) const;
  void write(int number, const std::string& file, const std::string& value) const;
  /// A file of the machine, e.g. "cpufreq/boost".
  void write_of_machine(const std::string& file, const std::string& value) const;
  /// Limits of the uncore frequency of a processor, or of a part of it ("package_00_die_00",
  /// "uncore00"): from 0.8 to 2.4 GHz.
  void add_uncore(const std::string& name);
  [[nodiscard]] std::string uncore_path(const std::string& name, const std::string& file) const;
  [[nodiscard]] std::string read_uncore(const std::string& name, const std::string& file) const;
  [[nodiscard]] const std::vector<int>& policies() const { return policies_; }

  /// All that can be set: path and value.
  [[nodiscard]] std::map<std::string, std::string> settings() const;
  /// All CPUs of the policy. Linux then also fails what is read and written there (EBUSY), which is
  /// left to Faults.
  void take_offline(int number) const { write(number, "affected_cpus", ""); }

private:
  void add_policy(Driver driver, const std::vector<int>& cpus);

  TemporaryFolder folder_;
  std::vector<int> policies_;
  std::vector<std::string> uncore_;
};

} // namespace hypermile::test
