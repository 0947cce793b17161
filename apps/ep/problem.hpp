#pragma once

#include <cstdint>
#include <string_view>

namespace apps::ep {

/// One class of the NAS EP specification.
struct Problem {
  char name;
  unsigned log2_pairs;
  double sum_x; ///< published results
  double sum_y;

  static constexpr double tolerance = 1e-8;

  [[nodiscard]] std::uint64_t batches() const;
  [[nodiscard]] bool verified(double computed_x, double computed_y) const;
  /// Random numbers drawn: what the specification counts.
  [[nodiscard]] double operations() const;
};

inline constexpr std::string_view problem_classes = "SWABC";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::ep
