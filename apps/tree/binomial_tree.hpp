#pragma once

#include "common/tree_place.hpp"

#include <span>
#include <utility>
#include <vector>

namespace apps::tree {

/// Messages along the binomial tree of all ranks.
class BinomialTree {
public:
  explicit BinomialTree(TreePlace place) : place_(std::move(place)) {}

  /// Each of `values` becomes, at the root, its sum over all ranks. Elsewhere it becomes that
  /// over the rank's subtree.
  void reduce(std::span<double> values);
  /// `values` become those of the root.
  void broadcast(std::span<double> values) const;
  /// Both: each of `values` becomes its sum over all ranks, on every rank.
  void sum(std::span<double> values);

private:
  TreePlace place_;
  std::vector<double> received_;
};

} // namespace apps::tree
