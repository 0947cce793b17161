#pragma once

#include "io/temporary_folder.hpp"
#include "runtime/exchange/messages.hpp"

#include <optional>
#include <string>

namespace hypermile::launch {

/// Where rank 0 of a job leaves what became of it, if it runs on this node: it writes to a file
/// that exists, and makes none. Goes away with this object.
class ResultFile {
public:
  /// Throws Error{hardware} if none can be made in TMPDIR.
  ResultFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Whether the program has called MPI_Init, as far as can be known here.
  [[nodiscard]] bool has_begun() const;
  /// None: rank 0 has left none. Throws Error{hardware} for what cannot be read.
  [[nodiscard]] std::optional<runtime::RunReport> read() const;

private:
  io::TemporaryFolder folder_;
  std::string path_ = folder_.path() / "result.json";
};

} // namespace hypermile::launch
