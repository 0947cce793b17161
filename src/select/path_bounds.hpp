#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hypermile::select {

/// Lower bounds on the time of a recorded program whatever the gears: each is a path through its
/// timeline, or less than one (docs/selection.md, Theorem 8),
///
///     T >= constant + sum over the nodes of slope * S.
class PathBounds {
public:
  explicit PathBounds(std::size_t nodes) : nodes_(nodes) {}

  /// `slopes`: one per node, >= 0.
  void add(Seconds constant, std::span<const Seconds> slopes);
  [[nodiscard]] std::size_t size() const { return constants_.size(); }
  [[nodiscard]] Seconds constant(std::size_t path) const { return constants_[path]; }
  [[nodiscard]] std::span<const Seconds> slopes(std::size_t path) const {
    return {slopes_.data() + path * nodes_, nodes_};
  }
  /// One bound with these scales, one per node.
  [[nodiscard]] Seconds at(std::size_t path, std::span<const double> scales) const;
  /// The largest of the bounds.
  [[nodiscard]] Seconds at(std::span<const double> scales) const;

private:
  std::size_t nodes_;
  std::vector<Seconds> constants_;
  std::vector<Seconds> slopes_; ///< path by path
};

} // namespace hypermile::select
