#pragma once

#include "simulate/experiment.hpp"

namespace hypermile::simulate {

/// A run of `experiment.model` in which every message has the network for itself, without SimGrid:
/// in a part of the time, and for jobs of any size. Gears are those that were given and those of
/// `planned`, from the beginning. Throws Error{config} as run() does, and for what needs SimGrid:
/// a platform in XML, or methods that choose online.
[[nodiscard]] Simulation run_uncontended(const Experiment& experiment,
                                         const Installation& installation,
                                         const Listener& listener);

} // namespace hypermile::simulate
