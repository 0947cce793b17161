#pragma once

#include "doctor/places.hpp"

#include <string>

namespace hypermile::doctor {

/// Whether somebody sets the gears of this node.
struct Node {
  enum class State {
    free,
    in_use,      ///< by who is told in `what`
    left_behind, ///< settings of a run that ended and did not restore them
    unknown      ///< `what` says why
  };
  State state = State::free;
  std::string what; ///< for a user
};

Node examine_node(const Places& places);

} // namespace hypermile::doctor
