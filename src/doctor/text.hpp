#pragma once

#include "doctor/examination.hpp"

#include <string>

namespace hypermile::doctor {

/// For a terminal of 80 columns.
std::string print_examination(const Examination& examination);

/// Schema hypermile/doctor/2; docs/doctor.md describes every key.
std::string examination_json(const Examination& examination);

} // namespace hypermile::doctor
