#pragma once

#include "io/plan_json.hpp"
#include "model/problem.hpp"

#include <string>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// Declares --platform with --workload, and --energy-model. `problem`: the name of the option,
/// there already, that takes a problem in JSON in their place.
void add_problem_options(CLI::App& command, const std::string& problem, io::ProblemSource& source);

/// Throws a CLI::Error for a platform without the workload that makes a problem of it.
void check_platform_of_problem(const io::ProblemSource& source);

/// The text of a file; "-" is standard input. Throws Error{config} if it cannot be read.
[[nodiscard]] std::string read_input(const std::string& path);

/// Reads the problem; "-" is standard input. Throws Error{config} with file and place for what
/// cannot be read, Error{model} where the energy model does not apply.
[[nodiscard]] model::Problem load_problem(const io::ProblemSource& source);

} // namespace hypermile::cli
