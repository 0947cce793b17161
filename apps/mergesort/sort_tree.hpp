#pragma once

#include "common/tree_place.hpp"
#include "mergesort/problem.hpp"
#include "mergesort/sorted_keys.hpp"

#include <span>

namespace apps::mergesort {

/// Sorts keys along the binomial tree of all ranks: this rank's part of it. A rank gives the upper
/// half of its keys to a child, then the upper half of the rest to the next child, until it has the
/// part that it sorts itself. Then it merges its keys with those that come back from each child.
class SortTree {
public:
  SortTree(const Problem& problem, int rank, int ranks);

  /// `unsorted` counts on rank 0 alone.
  void sort(std::span<const Key> unsorted);

  /// After sort(): on rank 0 all keys, elsewhere those of the ranks below.
  [[nodiscard]] std::span<const Key> sorted() const { return sorted_.keys(); }

private:
  [[nodiscard]] Range keys_below(int rank) const;

  const Problem& problem_;
  int rank_;
  int ranks_;
  TreePlace place_;
  Keys received_; ///< from the parent
  SortedKeys<Key> sorted_;
};

} // namespace apps::mergesort
