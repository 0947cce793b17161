#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::simulate {

/// When links carry messages, each of which was given its link for itself.
class Overlap {
public:
  explicit Overlap(std::size_t links) : carried_(links) {}

  /// The link carries a message meanwhile, at full bandwidth.
  void add(std::size_t link, Seconds begin, Seconds end);
  /// How much longer the link that is worst off would have to carry what it was given at a time.
  [[nodiscard]] Seconds largest() const;

private:
  struct Interval {
    double begin;
    double end;
  };
  [[nodiscard]] static double overlap_of(std::vector<Interval> carried);

  std::vector<std::vector<Interval>> carried_; ///< by link
};

} // namespace hypermile::simulate
