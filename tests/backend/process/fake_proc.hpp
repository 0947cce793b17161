#pragma once

#include "support/temporary_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::test {

/// A procfs with the processes that a test puts there.
class FakeProc {
public:
  struct Entry {
    pid_t parent = 0;
    int start = 100;
    char state = 'S';
    int waited = 0; ///< CPU time of children waited for, in ticks
    std::vector<pid_t> threads{};
  };

  void put(pid_t pid, const Entry& entry) const {
    const std::string folder = folder_.path(std::to_string(pid));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder + "/task/" + std::to_string(pid));
    for (const pid_t thread : entry.threads)
      std::filesystem::create_directories(folder + "/task/" + std::to_string(thread));
    std::ofstream(folder + "/stat") << fmt::format(
        "{} (a (b) c) {} {} 5 6 7 8 9 10 11 12 13 14 15 {} 0 20 0 {} 0 {} 0\n", pid, entry.state,
        entry.parent, entry.waited, entry.threads.size() + 1, entry.start);
  }
  /// On run queues, in ns.
  void queued(pid_t pid, pid_t thread, long ns) const {
    std::ofstream(folder_.path(fmt::format("{}/task/{}/schedstat", pid, thread)))
        << "5000 " << ns << " 3\n";
  }
  /// What the CPUs have done, in ticks.
  void cpus(const std::vector<int>& busy) const {
    std::ofstream stat(folder_.path("stat"));
    stat << "cpu  9 9 9 9 9 9 9 9 0 0\n";
    for (std::size_t cpu = 0; cpu < busy.size(); ++cpu)
      stat << fmt::format("cpu{} {} 0 0 777 777 0 0 0 0 0\n", cpu, busy[cpu]);
    stat << "intr 1 2 3\n";
  }
  void remove(pid_t pid) const { std::filesystem::remove_all(folder_.path(std::to_string(pid))); }
  [[nodiscard]] std::string root() const { return folder_.path(); }

private:
  TemporaryFolder folder_;
};

} // namespace hypermile::test
