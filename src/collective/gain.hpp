#pragma once

#include "collective/choice.hpp"

#include <optional>

namespace hypermile::collective {

/// What a library's own choice costs against a variant, as both were measured: 0.1 for 10 % more.
struct Gain {
  double time = 0;
  std::optional<double> energy{}; ///< none: no power is known
};

/// Of the median of the passes that both have, in which what slows down both does not count. None
/// where one of them was not measured at this size with so many processes.
[[nodiscard]] std::optional<Gain> gain_over_library(const Calibration& calibration,
                                                    std::size_t nodes,
                                                    std::size_t processes_per_node,
                                                    std::size_t size_b, const Variant& variant);

/// A lower bound of the probability that a variant, which was chosen among all that were measured
/// because it looked best, costs less than what the library takes by itself: at this size, or at
/// the two around it that were measured. Student's t test of the logarithms of the ratios in each
/// pass, times the number of variants (Bonferroni), as each of them might have been chosen. 0 where
/// one was not measured.
[[nodiscard]] double probability_less_than_library(const Calibration& calibration,
                                                   std::size_t nodes,
                                                   std::size_t processes_per_node,
                                                   std::size_t size_b, const Variant& variant,
                                                   Aim::Least least);

} // namespace hypermile::collective
