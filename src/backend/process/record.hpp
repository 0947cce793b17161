#pragma once

#include "backend/process/masks.hpp"
#include "control/descriptor.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::backend::process {

/// How a program was found, and has to be left.
struct Found {
  struct Process {
    std::uint64_t start = 0;
    bool stopped = false; ///< by others than us
    bool operator==(const Process&) const = default;
  };
  struct Thread {
    pid_t process = 0;
    CpuSet wish{}; ///< see Masks
    bool operator==(const Thread&) const = default;
  };
  std::map<pid_t, Process> processes{};
  std::map<pid_t, Thread> threads{};

  bool operator==(const Found&) const = default;
};

// As text, which is only ever read by the program that wrote it.
std::string print(const Found& found);
Found parse_found(const std::string& text);

/// That, in memory which a process shares with those that it forks, and which goes away with them.
/// One of them writes; what it was writing when it was killed does not count.
class Record {
public:
  /// Throws control::FileError where the system does not let it.
  Record();
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record();

  void write(const Found& found);
  /// Everything is as it was found: there is nothing left to restore.
  void clear();
  /// None: there is nothing to restore, not yet or not any more.
  [[nodiscard]] std::optional<Found> read() const;
  [[nodiscard]] std::array<int, 2> descriptors() const {
    return {files_[0].number(), files_[1].number()};
  }

private:
  std::array<control::Descriptor, 2> files_;
  int* current_; ///< which of them counts, in shared memory; below 0: none
};

} // namespace hypermile::backend::process
