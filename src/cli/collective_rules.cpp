#include "cli/collective_rules.hpp"

#include "cli/installation.hpp"

#include "io/text_file.hpp"
#include "runtime/settings.hpp"
#include "tune/mpi_library.hpp"
#include "tune/mpich_tree.hpp"
#include "tune/openmpi_rules.hpp"
#include "tune/verify.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;
using collective::Library;
using Words = std::vector<std::string>;

constexpr std::string_view openmpi_prefix = "OMPI_MCA_";

/// A program that is none of MPI's would be started to be asked.
bool is_launcher(const std::string& program) {
  constexpr std::array names{"mpirun", "mpiexec", "orterun", "prterun"};
  const std::string name = fs::path(program).filename();
  return std::ranges::any_of(names, [&](const char* known) { return name.starts_with(known); });
}

Library library_of_job(const std::string& mpi, const Words& command) {
  if (!mpi.empty())
    return *collective::library_named(mpi);
  if (!is_launcher(command.front()))
    throw Error(
        ErrorKind::config,
        fmt::format("--collectives: '{}' does not tell which MPI the job has", command.front()),
        "--mpi openmpi or --mpi mpich");
  return tune::library_of(command);
}

/// The value that an option of mpirun gives a variable: --mca NAME VALUE, -genv NAME VALUE, -x
/// NAME=VALUE; none: no option does.
std::optional<std::string> given_by_option(const Words& command, const std::string& variable) {
  const bool is_parameter = variable.starts_with(openmpi_prefix);
  const std::string name = is_parameter ? variable.substr(openmpi_prefix.size()) : variable;
  const auto names_it = [&](const std::string& option) {
    constexpr std::array of_openmpi{"--mca", "-mca", "--gmca", "-gmca"};
    constexpr std::array of_mpich{"-genv", "-env"};
    return is_parameter ? std::ranges::find(of_openmpi, option) != of_openmpi.end()
                        : std::ranges::find(of_mpich, option) != of_mpich.end();
  };
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (i + 2 < command.size() && names_it(command[i]) && command[i + 1] == name)
      return command[i + 2];
    if (command[i] == "-x" && command[i + 1].starts_with(variable + "="))
      return command[i + 1].substr(variable.size() + 1);
  }
  return std::nullopt;
}

void refuse_other(const std::string& variable, const std::string& value,
                  const std::optional<std::string>& given, const char* where) {
  if (given && *given != value)
    throw Error(ErrorKind::config,
                fmt::format("--collectives sets {} to {}, but {} sets it to '{}'", variable, value,
                            where, *given),
                fmt::format("leave out one of them: --collectives or {}", variable));
}

} // namespace

std::string rules_in(const std::string& file) {
  if (!fs::exists(file))
    throw Error(
        ErrorKind::config,
        fmt::format("{} does not exist: Open MPI would ignore that in silence, and MPICH crash",
                    file),
        "hypermile collective apply");
  return io::read_text_file(file);
}

std::vector<tune::Expected> intended_by(const std::string& text, const std::string& file,
                                        Library library, std::size_t most) {
  if (library == Library::mpich)
    return tune::expected_of_tree(text, file, tune::mpich_own_tree(program_folder()), most);
  std::vector<tune::Expected> all;
  for (const auto& rules : tune::parse_openmpi_rules(text, file)) {
    const auto some = tune::expected_of(rules, most);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

RulesInForce put_in_force(const std::string& file, const std::string& mpi, const Words& command) {
  const std::string text = rules_in(file);
  const Library library = library_of_job(mpi, command);
  const auto intended = intended_by(text, file, library, 2);
  RulesInForce rules{.file = fs::absolute(file), .variables = {}};
  rules.variables = tune::settings_of_file(
      {.library = library, .file = rules.file, .collectives = tune::collectives_of(intended)});
  for (const auto& [variable, value] : rules.variables) {
    refuse_other(variable, value, runtime::own_environment(variable), "the environment");
    refuse_other(variable, value, given_by_option(command, variable), "an option of the launcher");
  }
  return rules;
}

} // namespace hypermile::cli
