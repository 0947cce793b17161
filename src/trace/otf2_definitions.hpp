#pragma once

#include "trace/incoming.hpp"
#include "trace/rank_builder.hpp"

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermile::trace {

/// What the definitions of a trace say, as far as it matters.
struct Otf2Definitions {
  struct Location {
    std::uint64_t events = 0;
    std::uint32_t group = 0;
  };
  double ticks_per_second = 0;           ///< 0: not known
  std::vector<std::uint64_t> locations;  ///< by rank of MPI_COMM_WORLD
  std::map<std::uint64_t, Location> all; ///< locations
  std::unordered_map<std::uint32_t, Region> regions;
  IncomingCommunicators communicators;
  std::vector<std::string> nodes; ///< by rank
};

/// Throws Error{config}, without the file's name, for definitions that do not fit together or are
/// not of MPI.
[[nodiscard]] Otf2Definitions read_definitions(OTF2_Reader* reader);

} // namespace hypermile::trace
