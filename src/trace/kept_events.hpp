#pragma once

#include "model/dependency/matching.hpp"
#include "trace/ticks.hpp"
#include "trace/traced_run.hpp"

#include <vector>

namespace hypermile::trace {

/// Which events are in a part of a run: those of calls that are inside as a whole, and only
/// messages and collective operations that all who take part begin and end inside.
class KeptEvents {
public:
  /// Keeps a reference to the matching.
  KeptEvents(const TracedRun& run, const model::dependency::Matching& matching, const Ticks& ticks);

  /// Of an event that begins something.
  [[nodiscard]] bool has(model::dependency::EventIndex start) const { return kept_[start]; }

private:
  [[nodiscard]] bool both_ends(model::dependency::EventIndex start) const;

  const model::dependency::Matching& matching_;
  std::vector<bool> kept_; ///< by event; of what completes: its call is in the window
};

} // namespace hypermile::trace
