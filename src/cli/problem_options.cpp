#include "cli/problem_options.hpp"

#include "cli/checks.hpp"
#include "cli/installation.hpp"

#include "io/platform_yaml.hpp"
#include "io/problem_files.hpp"
#include "io/text_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <iterator>

namespace hypermile::cli {

std::string read_input(const std::string& path) {
  if (path != "-")
    return io::read_text_file(path);
  std::ios::sync_with_stdio(false);
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

void add_problem_options(CLI::App& command, const std::string& problem, io::ProblemSource& source) {
  auto* in_json = command.get_option(problem);
  command
      .add_option("--platform", source.platform,
                  fmt::format("The machines: a bundled platform ({}) or a file in YAML, "
                              "hypermile/platform/1; with --workload, --model or a recorded run",
                              fmt::join(io::bundled_platforms(platform_folder()), ", ")))
      ->type_name("PLATFORM");
  auto* workload =
      command
          .add_option(
              "--workload", source.workload,
              "The times of each node, hypermile/workload/1 (YAML or JSON); needs --platform")
          ->type_name("FILE");
  workload->needs(command.get_option("--platform"))->excludes(in_json);
  command
      .add_option(
          "--energy-model", source.energy_model,
          "Energy model of a homogeneous cluster: homogeneous (Eq. 2.13) or rauber (Eq. 1.19). "
          "Default: that of the problem")
      ->type_name("NAME")
      ->check(one_of({"homogeneous", "rauber"}));
}

void check_platform_of_problem(const io::ProblemSource& source) {
  if (!source.platform.empty() && source.workload.empty())
    throw CLI::RequiresError("--platform", "--workload, --model or a recorded run");
}

model::Problem load_problem(const io::ProblemSource& source) {
  return io::load_problem(source, platform_folder(), read_input);
}

} // namespace hypermile::cli
