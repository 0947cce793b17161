#include "io/problem_files.hpp"

#include "io/platform_yaml.hpp"
#include "io/problem_json.hpp"
#include "io/workload_yaml.hpp"

#include <filesystem>

namespace hypermile::io {

model::Problem load_problem(const ProblemSource& source, const std::string& platform_folder,
                            const ReadFile& read) {
  model::Problem problem =
      source.workload.empty()
          ? parse_problem(read(source.problem),
                          source.problem == "-" ? "standard input" : source.problem)
          : parse_workload(read(source.workload), source.workload,
                           load_platform(find_platform(source.platform, platform_folder),
                                         {.platform_folder = platform_folder}));
  if (source.energy_model.empty())
    return problem;
  return with_energy_model(problem, source.energy_model == "rauber"
                                        ? model::ModelKind::rauber
                                        : model::ModelKind::homogeneous);
}

std::string named_by_plan(const std::string& file, const std::string& plan) {
  const std::filesystem::path beside = std::filesystem::path(plan).parent_path() / file;
  return !file.empty() && !std::filesystem::exists(file) && std::filesystem::exists(beside)
             ? beside.string()
             : file;
}

} // namespace hypermile::io
