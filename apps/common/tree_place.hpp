#pragma once

#include <optional>
#include <vector>

namespace apps {

/// Where a rank stands in the binomial tree of all ranks, which has rank 0 at its root: its
/// parent is the rank without its lowest bit.
struct TreePlace {
  std::optional<int> parent; ///< none: this is the root
  std::vector<int> children; ///< the one with the smallest subtree first
  int end = 0;               ///< the subtree below it has the ranks up to here, from itself on
};

TreePlace tree_place(int rank, int ranks);

} // namespace apps
