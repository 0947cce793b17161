#pragma once

#include "common/field.hpp"
#include "mg/partition.hpp"

#include <array>
#include <cstdint>

namespace apps::mg {

/// The right-hand side is 1 at ten points, -1 at ten others, and 0 elsewhere: where a field of
/// random numbers has its ten largest and its ten smallest values.
class Charges {
public:
  /// Those among the points of one rank.
  Charges(std::uint32_t side, const LevelPart& part);

  /// Those among the points of both.
  void merge(const Charges& other);

  /// Sets the charges that lie in this rank's part, and 0 elsewhere.
  void put_into(Field& v, std::uint32_t side, const LevelPart& part) const;

  struct Candidate {
    double rank; ///< the larger the better
    std::uint64_t place;
  };
  using Best = std::array<Candidate, 10>; ///< best first
  [[nodiscard]] const Best& largest() const { return largest_; }
  [[nodiscard]] const Best& smallest() const { return smallest_; }

private:
  Best largest_;
  Best smallest_; ///< ranked by the negated values
};

} // namespace apps::mg
