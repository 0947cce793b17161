#pragma once

#include "model/platform.hpp"
#include "model/problem.hpp"

#include <string>

namespace hypermile::io {

/// Reads a workload in the schema `hypermile/workload/1` (docs/selection.md): YAML, or JSON,
/// which is YAML too. It names the model and gives computation and communication time of every
/// node in gear 0, in the order of the platform's nodes; together they are a problem.
/// `file` is used in messages only. Throws Error{config} with file, line and key for anything
/// not understood, and for a platform that has other nodes than the workload.
model::Problem parse_workload(const std::string& text, const std::string& file,
                              const model::Platform& platform);

} // namespace hypermile::io
