#pragma once

#include "io/cell_result.hpp"
#include "study/outcome.hpp"
#include "sweep/file_lock.hpp"

#include <string>

namespace hypermile::sweep {

/// A cell with what its files are known by.
struct Place {
  study::Cell cell;
  std::string fingerprint;
  std::string recording; ///< fingerprint of its recording; empty: it has none
};

/// A folder with the results of cells, a file for each, and with the recordings that they share.
/// Files are written as a whole or not at all. The name of a file has the fingerprint in it:
/// results of an earlier study stay beside those of the changed one, and are found again if the
/// change is taken back.
class ResultsFolder {
public:
  explicit ResultsFolder(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  /// "cg-A-8-table-3.1-0123456789abcdef.json".
  [[nodiscard]] std::string file_of(const Place& place) const;
  /// "recordings/cg-A-8-0123456789abcdef.txt"; empty: it has none.
  [[nodiscard]] std::string recording_of(const Place& place) const;

  /// Missing where there is no file, or none that can be understood.
  [[nodiscard]] study::Outcome find(const Place& place) const;
  /// Throws Error{hardware} if it cannot be written.
  void keep(const Place& place, const study::Outcome& outcome, const std::string& simulation) const;

  /// Nobody else works in the folder while it lives: makes the folder if there is none. `shared`:
  /// others that are shared may. Throws Error{hardware} where somebody does, or where nothing can
  /// be written.
  [[nodiscard]] FileLock lock(FileLock::Kind kind) const;

private:
  std::string path_;
};

} // namespace hypermile::sweep
