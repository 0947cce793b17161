#pragma once

namespace hypermile::model {

/// In which order the cores of a node are put to use. [N16]
enum class Placement {
  linear,     ///< a package first, then the next one
  interleaved ///< one of each package in turn
};

} // namespace hypermile::model
