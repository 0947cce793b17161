#pragma once

#include "collective/calibration.hpp"

namespace hypermile::tune {

/// Throws Error{config} where measurements under these conditions are not to be used together,
/// saying what keeps them apart.
void check_same(const collective::Conditions& earlier, const collective::Conditions& now);

/// The same for calibrations of several collectives, of which rules are to be made together: they
/// may differ in the collective and in how exactly they were measured.
void check_same_library(const collective::Conditions& one, const collective::Conditions& another);

/// For other reasons than conditions.
[[noreturn]] void refuse_to_go_on(const std::string& why);

} // namespace hypermile::tune
