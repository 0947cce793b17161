#pragma once

#include "io/plan_json.hpp"
#include "io/text_file.hpp"
#include "model/problem.hpp"

#include <functional>
#include <string>

namespace hypermile::io {

/// The text of a file.
using ReadFile = std::function<std::string(const std::string&)>;

/// Reads the problem. `platform_folder`: of the bundled platforms. `read`: files whose name is "-"
/// are standard input to who passes another one. Throws Error{config} with file and place for what
/// cannot be read, Error{model} where the energy model does not apply.
[[nodiscard]] model::Problem load_problem(const ProblemSource& source,
                                          const std::string& platform_folder,
                                          const ReadFile& read = read_text_file);

/// A file that a plan names: as seen from here if it is there, else as seen from the plan.
[[nodiscard]] std::string named_by_plan(const std::string& file, const std::string& plan);

} // namespace hypermile::io
