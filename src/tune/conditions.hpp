#pragma once

#include "collective/calibration.hpp"

namespace hypermile::tune {

/// Throws Error{config} where measurements under these conditions are not to be used together,
/// saying what keeps them apart.
void check_same(const collective::Conditions& earlier, const collective::Conditions& now);

/// For other reasons than conditions.
[[noreturn]] void refuse_to_go_on(const std::string& why);

} // namespace hypermile::tune
