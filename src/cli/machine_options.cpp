#include "cli/machine_options.hpp"

#include "runtime/settings.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace hypermile::cli {

void add_backend_options(CLI::App& command, std::string& backend, const Check& check,
                         machine::Options& own) {
  own = machine::options_in(runtime::own_environment);
  auto* const which =
      command.add_option("--backend", backend, "What sets gears, see below. Default: auto")
          ->type_name("BACKEND")
          ->check(check);
  for (const machine::Backend& row : machine::backends())
    for (const control::BackendOption& option : row.options)
      command
          .add_option_function<std::string>(
              fmt::format("--{}", option.name),
              [&own, name = std::string(option.name)](const std::string& value) {
                own[name] = value;
              },
              fmt::format("Of backend '{}': {}", row.name, option.help))
          ->type_name(std::string(option.value))
          ->check(option.check)
          ->needs(which);
}

} // namespace hypermile::cli
