#pragma once

#include "learn/memory.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::learn {

/// A folder with memories, a file per job. Files are replaced as a whole: who reads finds the old
/// one or the new one, whoever else writes, and whoever is killed.
class MemoryFolder {
public:
  explicit MemoryFolder(std::string path) : path_(std::move(path)) {}

  /// Where the memory of a job is, or would be.
  [[nodiscard]] std::string file_of(const Identity& identity) const;
  /// None: nothing is known of this job. Throws Error{config} with the file's name for one that
  /// cannot be read or is damaged.
  [[nodiscard]] std::optional<Memory> find(const Identity& identity) const;
  /// Adds the latest run of a job to what is known of it, also where another job has learnt since
  /// find(). A damaged file is replaced. Makes the folder if necessary. Throws Error{hardware}
  /// where nothing can be written.
  Improved learn(const Memory& latest) const;

  /// The files of all memories, by name. Throws Error{config} where the folder cannot be read.
  [[nodiscard]] std::vector<std::string> files() const;
  /// Those whose names begin as those of this program.
  [[nodiscard]] std::vector<std::string> files_of(const std::string& program) const;

private:
  std::string path_;
};

} // namespace hypermile::learn
