#pragma once

#include "runtime/messages.hpp"

#include <optional>
#include <string>

namespace hypermile::launch {

/// Where rank 0 of a job leaves what became of it, if it runs on this node: it writes to a file
/// that exists, and makes none. Goes away with this object.
class ResultFile {
public:
  /// Throws Error{hardware} if none can be made in TMPDIR.
  ResultFile();
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Whether the program has called MPI_Init, as far as can be known here.
  [[nodiscard]] bool has_begun() const;
  /// None: rank 0 has left none. Throws Error{hardware} for what cannot be read.
  [[nodiscard]] std::optional<runtime::RunReport> read() const;

private:
  std::string folder_;
  std::string path_;
};

} // namespace hypermile::launch
