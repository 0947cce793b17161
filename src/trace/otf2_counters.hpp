#pragma once

#include "trace/ticks.hpp"
#include "trace/traced_run.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hypermile::trace {

/// Power and gear of each node, and the power of all, as metrics. Each node has a location of its
/// own for them, behind those of the ranks; the last location has the power of all.
class Otf2Counters {
public:
  using Check = std::function<void(OTF2_ErrorCode)>;
  using Text = std::function<std::uint32_t(const std::string&)>; ///< the number of a text

  /// Keeps a reference to the run.
  Otf2Counters(const TracedRun& run, const Ticks& ticks);

  void write_events(OTF2_Archive* archive, const Check& check);
  /// Of the locations themselves.
  void close_definitions(OTF2_Archive* archive, const Check& check) const;
  /// Node n is system tree node n + 1, the machine 0; each rank is a group of locations.
  void define(OTF2_GlobalDefWriter* definitions, const Text& text, const Check& check) const;

private:
  struct Step {
    std::uint64_t time; ///< ticks since the begin of the window
    Watts power;
  };
  [[nodiscard]] std::uint64_t location(std::size_t counters) const {
    return run_.schedule.ranks.size() + counters;
  }
  [[nodiscard]] bool is_all(std::size_t counters) const { return counters == run_.nodes.size(); }
  void define_location(std::size_t counters, OTF2_GlobalDefWriter* definitions, const Text& text,
                       const Check& check) const;

  const TracedRun& run_;
  std::vector<std::vector<Step>> steps_; ///< by node, and at the end of all
  std::uint64_t end_;                    ///< of the window
  std::vector<std::uint64_t> event_counts_;
};

} // namespace hypermile::trace
