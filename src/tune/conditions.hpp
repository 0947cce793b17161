#pragma once

#include "collective/calibration.hpp"

#include <cstdint>

namespace hypermile::tune {

/// Throws Error{config} where measurements under these conditions and with this seed are not to be
/// added to a calibration, saying what keeps them apart.
void check_same(const collective::Calibration& earlier, const collective::Conditions& now,
                std::uint64_t seed);

/// The same for calibrations of several collectives, of which rules are to be made together: they
/// may differ in the collective and in how exactly they were measured.
void check_same_library(const collective::Conditions& one, const collective::Conditions& another);

} // namespace hypermile::tune
