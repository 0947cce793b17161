#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"

#include "io/components.hpp"
#include "report/components.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* platform_footer =
    R"(Examples:
  What a platform can be composed of, and where the figures of a CPU come from:
    hypermile platform components
    hypermile platform components epyc-9354

Exit code:
  0             success
  1             there is no such component, or its file is not understood
  2             wrong usage

docs/components.md describes the files of components and the JSON.)";

struct ComponentsOptions {
  std::string name;
  bool json = false;
};

void print(const ComponentsOptions& options) {
  const std::string folder = io::component_folder(platform_folder());
  std::vector<model::Component> components;
  if (!options.name.empty())
    components.push_back(io::load_component(io::find_component(options.name, {folder})));
  else
    for (const std::string& name : io::names_in(folder))
      components.push_back(io::load_component(io::find_component(name, {folder})));
  if (options.json)
    print_result(report::components_json(components));
  else
    print_result(options.name.empty() ? report::print_components(components)
                                      : report::print_component(components.front()));
}

void add_components_command(CLI::App& platform, int& exit_code) {
  auto* command = platform.add_subcommand(
      "components", "List the components that come with hypermile, or show one of them");
  command->group("Commands");
  command->formatter(
      std::make_shared<HelpFormatter>("hypermile platform components [NAME] [--json]"));
  command->footer(platform_footer);
  const auto options = std::make_shared<ComponentsOptions>();
  command->add_option("NAME", options->name,
                      "The component to show, with the source of each figure");
  command->add_flag("--json", options->json, "Print JSON, hypermile/components/1");
  command->callback([options, &exit_code] {
    print(*options);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace

void add_platform_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("platform", "Show the components that platforms are composed of");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile platform COMMAND [OPTIONS]"));
  command->get_formatter()->label("Subcommands", "Commands");
  command->footer(platform_footer);
  command->require_subcommand(1);
  add_components_command(*command, exit_code);
}

} // namespace hypermile::cli
