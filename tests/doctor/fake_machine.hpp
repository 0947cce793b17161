#pragma once

#include "doctor/examination.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace hypermile::test {

/// Everything that the doctor looks at, below folders of the test's: by itself a machine that shows
/// a /proc and nothing else.
class FakeMachine {
public:
  FakeMachine() {
    file("/proc/sys/kernel/osrelease", "6.1.0-13-amd64");
    cpuinfo("GenuineIntel", "fpu sse2");
    file("/lib/hypermile/libhypermile-openmpi.so", "");
    file("/lib/hypermile/libhypermile-preload.so", "");
    file("/libexec/hypermile/hypermile-guard", "");
    std::filesystem::create_directories(root() + "/bin");
    ::setenv("HWLOC_SYNTHETIC", "package:1 core:2 pu:1", 1);
  }
  ~FakeMachine() { ::unsetenv("HWLOC_SYNTHETIC"); }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  [[nodiscard]] std::string root() const { return folder_.path(); }
  [[nodiscard]] std::string sysfs() const { return root() + "/sys"; }
  [[nodiscard]] doctor::Places places() const {
    return {.node = {.sysfs = sysfs(), .state = root() + "/state"},
            .root = root(),
            .path = root() + "/bin",
            .libraries = root() + "/lib/hypermile",
            .programs = root() + "/libexec/hypermile"};
  }
  [[nodiscard]] doctor::Examination examined() const { return doctor::examine(places()); }

  void file(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void cpuinfo(const std::string& vendor, const std::string& flags) const {
    file("/proc/cpuinfo",
         "processor\t: 0\nvendor_id\t: " + vendor + "\nflags\t\t: " + flags + "\nbugs\t\t:");
  }
  /// A program that prints this.
  void program(const std::string& name, const std::string& output) const {
    const std::string path = "/bin/" + name;
    file(path, "#!/bin/sh\n/bin/cat << 'END'\n" + output + "\nEND");
    std::filesystem::permissions(root() + path, std::filesystem::perms::all);
  }
  /// Energy counters as a processor with memory has them.
  void packages(int count) const {
    const FakePowercap tree(sysfs());
    for (int package = 0; package < count; ++package) {
      const std::string zone = "intel-rapl:" + std::to_string(package);
      tree.zone(zone, "package-" + std::to_string(package));
      tree.zone(zone + ":0", "core");
      tree.zone(zone + ":1", "dram");
    }
  }
  /// Frequencies, one domain per CPU.
  void frequencies(FakeSysfs::Driver driver, int cpus) const {
    std::vector<std::vector<int>> domains;
    for (int cpu = 0; cpu < cpus; ++cpu)
      domains.push_back({cpu});
    const FakeSysfs other(driver, domains);
    std::filesystem::copy(other.root(), sysfs(),
                          std::filesystem::copy_options::recursive |
                              std::filesystem::copy_options::copy_symlinks);
  }

private:
  TemporaryFolder folder_;
};

} // namespace hypermile::test
