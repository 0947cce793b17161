#pragma once

#include "simulate/experiment.hpp"

#include <string>

namespace hypermile::cli {

/// Progress on stderr: steps as lines; the status as one line that is rewritten in place on a
/// terminal, goes away with this object, and is left out elsewhere. What cannot be printed is
/// lost: it is no reason to end a simulation.
class ProgressLine {
public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  [[nodiscard]] simulate::Progress callbacks();

private:
  void step(const std::string& text);
  void status(const std::string& text);
  void clear();

  bool quiet_;
  bool terminal_;
  bool shown_ = false;
};

} // namespace hypermile::cli
