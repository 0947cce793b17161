#pragma once

#include <string>

namespace hypermile::cli {

/// Progress on stderr: steps as lines; the status as one line that is rewritten in place on a
/// terminal, goes away with this object, and is left out elsewhere. What cannot be printed is
/// lost: it is no reason to end the work.
class ProgressLine {
public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void step(const std::string& text);
  void status(const std::string& text);
  /// A line of somebody else's, which is no progress: it is there when this is quiet, too.
  void printed(const std::string& line);

private:
  void clear();

  bool quiet_;
  bool terminal_;
  bool shown_ = false;
};

} // namespace hypermile::cli
