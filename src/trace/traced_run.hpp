#pragma once

#include "model/dependency/schedule.hpp"
#include "model/gear.hpp"
#include "model/timeline.hpp"
#include "units/quantity.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::trace {

/// A node of a run, all the time in one gear.
struct TracedNode {
  std::string name;
  std::string type;
  std::vector<std::uint32_t> ranks;
  model::Gear gear = 0;
  std::string setting{}; ///< "2.1 GHz"; empty: the platform does not state it
  Watts waiting;         ///< what it draws while none of its ranks computes
  Watts per_rank;        ///< on top of that, for each rank that computes
};

/// A run as somebody can look at it: as it was recorded, or as it is forecast in other gears.
struct TracedRun {
  std::string label;    ///< "recorded", or in which gears
  bool forecast = true; ///< false: times are those of the recorded run
  const model::Timeline* timeline = nullptr;
  model::dependency::Schedule schedule; ///< of the timeline
  std::vector<TracedNode> nodes;        ///< every rank is on one

  [[nodiscard]] Seconds time() const { return schedule.end() - schedule.begin(); }
  [[nodiscard]] Joules energy() const;
};

/// A part of a run; since the run began.
struct Window {
  Seconds from{};
  std::optional<Seconds> to{}; ///< none: to the end
  [[nodiscard]] bool is_whole() const { return from == Seconds{} && !to; }
};

/// What a trace tells of all its runs.
struct TraceHead {
  std::string program;
  std::string platform;
  Window window{};
};

/// Told from time to time: which share of the work is done.
using Progress = std::function<void(double share)>;

/// How many MPI calls of the run are in the window, at least in part.
[[nodiscard]] std::size_t calls_in(const TracedRun& run, const Window& window);

} // namespace hypermile::trace
