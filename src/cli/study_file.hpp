#pragma once

#include "study/study.hpp"

#include <string>

namespace hypermile::cli {

/// Reads a study. Its methods and options are checked as those of `hypermile simulate` are. Throws
/// Error{config} with file and line for what is wrong with it.
study::Study read_study(const std::string& file);

} // namespace hypermile::cli
