#pragma once

#include "backend/wattmeter/power_log.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hypermile::backend::wattmeter {

/// What samples say of an interval.
struct Integral {
  Joules energy;    ///< of the part that is covered
  Seconds covered;  ///< how long that part is
  Seconds interval; ///< how long all of it is

  /// From 0 to 1. Below 1, `energy` is less than what was consumed.
  [[nodiscard]] double coverage() const { return covered / interval; }
};

/// The energy from `from` to `to` (both since 1970), by trapezoid. Two samples that are further
/// apart than `longest_gap` say nothing of what is between them: such a gap is not covered, nor is
/// what is before the first and after the last sample. Throws Error{model} unless from < to.
Integral integrate(std::span<const Sample> samples, Seconds from, Seconds to, Seconds longest_gap);

/// Mean power in each of so many equal parts of that time; none where a part is not wholly covered.
/// Throws Error{model} unless from < to and there is a part.
std::vector<std::optional<Watts>> mean_power(std::span<const Sample> samples, Seconds from,
                                             Seconds to, Seconds longest_gap, std::size_t parts);

/// The gap beyond which samples of this log are missing: five times the usual distance of two
/// samples (the median), but at least a second.
Seconds longest_gap(std::span<const Sample> samples);

} // namespace hypermile::backend::wattmeter
