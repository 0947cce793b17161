#pragma once

#include "collective/calibration.hpp"

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

} // namespace hypermile::collective
