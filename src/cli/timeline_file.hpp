#pragma once

#include "session/steering.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::cli {

/// Keeps the samples of a steered program: in FILE.json at the end, in any other file as lines of
/// CSV as they come.
class TimelineFile {
public:
  /// `path`: empty: nothing is kept. Throws Error where there can be no such file.
  explicit TimelineFile(const std::string& path);

  /// Says on stderr, once, if a line cannot be written.
  void add(const session::Row& row, const session::NodeLayout& node);
  /// Throws Error{hardware} if the JSON cannot be written.
  void finish() const;

private:
  void write(const std::string& line);

  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> lines_; ///< null: JSON, or nothing
  bool failed_ = false;
  std::vector<session::Row> rows_;    ///< for JSON
  std::optional<steer::Space> space_; ///< of these
};

} // namespace hypermile::cli
