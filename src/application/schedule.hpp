#pragma once

#include "application/application_model.hpp"

#include "model/dependency/protocol.hpp"
#include "units/quantity.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace hypermile::application {

/// What a model runs on, seen by ranks: messages have the network for themselves.
struct Machine {
  std::vector<Speed> speeds; ///< by rank: of what it has of a core
  /// A message between two ranks, once both may exchange it.
  std::function<Seconds(std::uint32_t from, std::uint32_t to, std::uint64_t bytes)> transfer;
  /// The same between nodes, for one byte and for each further one: collective operations are made
  /// of such messages.
  Seconds latency;
  Bandwidth bandwidth;
  model::dependency::Protocol protocol;
  /// Gets each message with the moment at which it is there; none: nobody listens.
  std::function<void(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, Seconds there)>
      carried{};
};

/// Lets the ranks meet: finds the receive of each message, and the time that everything takes on
/// this machine. The run's timeline has both then. A model has to be safe, as MPI calls it: it may
/// not count on a send that returns before its receive is there. Throws Error{config} with file,
/// line, roles and ranks for a model that is not, where ranks wait for each other or for one that
/// has ended, or call different collective operations.
void schedule(ModelRun& run, const Machine& machine);

} // namespace hypermile::application
