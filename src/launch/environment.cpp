#include "launch/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace hypermile::launch {
namespace {

namespace fs = std::filesystem;

/// The program that a name stands for, links resolved; empty if there is none.
fs::path program_of(const std::string& name, const runtime::Environment& environment) {
  std::error_code ignored;
  if (name.find('/') != std::string::npos)
    return fs::canonical(name, ignored);
  std::istringstream folders(environment("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path path = fs::path(folder) / name; fs::exists(path, ignored))
      return fs::canonical(path, ignored);
  return {};
}

/// Open MPI 4 and 5. Others hand the environment on by themselves.
bool is_open_mpi(const std::string& name, const runtime::Environment& environment) {
  const std::string file = program_of(name, environment).filename();
  return file.starts_with("orterun") || file.starts_with("prterun");
}

} // namespace

Command with_hypermile(std::vector<std::string> arguments, const runtime::Settings& settings,
                       const std::string& library, const runtime::Environment& environment) {
  Command command{.arguments = std::move(arguments), .environment = to_environment(settings)};
  const std::string others = environment("LD_PRELOAD").value_or("");
  command.environment.emplace_back("LD_PRELOAD", others.empty() ? library : library + ":" + others);
  if (!is_open_mpi(command.arguments[0], environment))
    return command;

  std::vector<std::string> names;
  for (const auto& [name, value] : command.environment)
    names.push_back(name);
  // mpirun takes -x, or a list in the environment, but not both.
  if (std::ranges::find(command.arguments, "-x") != command.arguments.end()) {
    for (const std::string& name : names)
      command.arguments.insert(command.arguments.begin() + 1, {"-x", name});
    return command;
  }
  constexpr const char* list = "OMPI_MCA_mca_base_env_list";
  if (const auto own = environment(list); own && !own->empty())
    names.insert(names.begin(), *own);
  command.environment.emplace_back(list, fmt::format("{}", fmt::join(names, ";")));
  return command;
}

} // namespace hypermile::launch
