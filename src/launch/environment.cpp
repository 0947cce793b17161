#include "launch/environment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace hypermile::launch {
namespace {

/// The launcher's options may give the job an LD_PRELOAD (mpirun -x LD_PRELOAD=..., mpiexec -genv
/// LD_PRELOAD ...). Puts the library before it. False: there is no such option.
bool add_to_own_preload(std::vector<std::string>& arguments, const std::string& library) {
  const std::string assignment = "LD_PRELOAD=";
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    std::string& next = arguments[i + 1];
    if (arguments[i] == "-x" && next.starts_with(assignment)) {
      next.replace(assignment.size(), std::string::npos,
                   before(library, next.substr(assignment.size())));
      return true;
    }
    if ((arguments[i] == "-genv" || arguments[i] == "-env") && next == "LD_PRELOAD" &&
        i + 2 < arguments.size()) {
      arguments[i + 2] = before(library, arguments[i + 2]);
      return true;
    }
  }
  return false;
}

/// A program with the address sanitizer refuses to run where another library is loaded before that.
/// The user's options come last and prevail.
std::string not_first(const std::optional<std::string>& options) {
  const std::string allowed = "verify_asan_link_order=0";
  if (options && options->starts_with(allowed)) // of a launcher that started this one
    return *options;
  return options && !options->empty() ? allowed + ":" + *options : allowed;
}

/// Open MPI 4 and 5. Other launchers hand on the whole environment by themselves.
bool is_open_mpi(const std::string& name, const runtime::Environment& environment) {
  const std::string program = control::find_program(name, environment("PATH").value_or(""));
  std::error_code ignored;
  const std::string file = std::filesystem::canonical(program, ignored).filename();
  return file.starts_with("orterun") || file.starts_with("prterun");
}

} // namespace

std::string before(const std::string& library, const std::string& others) {
  return others.empty() ? library : library + ":" + others;
}

Command with_hypermile(std::vector<std::string> arguments, const runtime::Settings& settings,
                       const std::string& library, const runtime::Environment& environment,
                       const control::Variables& of_mpi) {
  Command command{.arguments = std::move(arguments), .environment = to_environment(settings)};
  command.environment.emplace_back("LD_PRELOAD",
                                   before(library, environment("LD_PRELOAD").value_or("")));
  command.environment.emplace_back("ASAN_OPTIONS", not_first(environment("ASAN_OPTIONS")));
  const bool preload_given = add_to_own_preload(command.arguments, library);
  std::vector<std::string> names;
  for (const auto& [name, value] : command.environment)
    if (name != "LD_PRELOAD" || !preload_given)
      names.push_back(name);
  command.environment.insert(command.environment.end(), of_mpi.begin(), of_mpi.end());
  return handed_on(std::move(command), std::move(names), environment);
}

Command handed_on(Command command, std::vector<std::string> names,
                  const runtime::Environment& environment) {
  if (names.empty() || !is_open_mpi(command.arguments[0], environment))
    return command;

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
