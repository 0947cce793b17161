#pragma once

#include "trace/ticks.hpp"
#include "trace/traced_run.hpp"

#include <cstddef>
#include <functional>

namespace hypermile::trace {

/// How the power of the nodes changes in the course of a run, in the order of time. A node draws
/// more for each of its ranks that computes.
///
/// `changed` is told each node's power at the begin of the window, and when it changes, at most
/// once at a moment; after the nodes that change at a moment, `total` is told the sum of all.
struct PowerVisitor {
  std::function<void(std::int64_t moment, std::size_t node, Watts power)> changed;
  std::function<void(std::int64_t moment, Watts power)> total;
};
void visit_power(const TracedRun& run, const Ticks& ticks, const PowerVisitor& visitor);

} // namespace hypermile::trace
