#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"

#include "doctor/text.hpp"
#include "machine/registry.hpp"
#include "runtime/settings.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* doctor_footer =
    R"(Says what this machine can measure and set, what is missing and why, and what
an administrator types once to allow it to the users of a group. It changes
nothing.

Exit code:
  0             looked at everything, whatever it found
  2             wrong usage

docs/doctor.md describes the findings and the keys of --json.)";

doctor::Places places() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  return {.node = control::this_place(),
          .root = variable("HYPERMILE_ROOT"),
          .path = variable("PATH"),
          .libraries = library_folder(),
          .programs = program_folder(),
          .options = machine::options_in(runtime::own_environment)};
}

} // namespace

void add_doctor_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("doctor", "Say what this machine can measure and set, and what to do");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile doctor [--json]"));
  command->footer(doctor_footer);
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON, hypermile/doctor/2");
  command->callback([json, &exit_code] {
    const auto examination = doctor::examine(places());
    print_result(*json ? doctor::examination_json(examination)
                       : doctor::print_examination(examination));
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace hypermile::cli
