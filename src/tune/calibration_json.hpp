#pragma once

#include "collective/calibration.hpp"

#include <string>
#include <string_view>

namespace hypermile::tune {

/// hypermile/collective-calibration/1: one line for each cell.
[[nodiscard]] std::string calibration_json(const collective::Calibration& calibration);

/// What calibration_json() has written, read strictly. `file` is used in messages only. Throws
/// Error{config} for anything else, with the place.
[[nodiscard]] collective::Calibration parse_calibration(std::string_view text,
                                                        const std::string& file);

} // namespace hypermile::tune
