#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"

#include "control/run_command.hpp"
#include "control/spawn.hpp"
#include "io/components.hpp"
#include "io/platform_text.hpp"
#include "io/temporary_folder.hpp"
#include "io/text_file.hpp"
#include "report/components.hpp"
#include "report/platform.hpp"
#include "runtime/settings.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* platform_footer =
    R"(Examples:
  What a bundled platform consists of, and with other CPUs:
    hypermile platform show galera-plus
    hypermile platform show galera-plus --swap cpu=epyc-9654

  What a platform can be composed of, and where the figures of a CPU come from:
    hypermile platform components
    hypermile platform components epyc-9354

Exit code:
  0             success
  1             a file is missing or not understood
  2             wrong usage

docs/platform.md describes the files of platforms, docs/components.md those of
components.)";

constexpr const char* show_footer =
    R"(Formats:
  text          for a reader (default)
  dot           the graph in the language of Graphviz
  svg           the graph as a picture, drawn by Graphviz
  json          all figures, hypermile/platform-figures/1
  yaml          all figures written out, as a platform for --platform

Examples:
  Draw the nodes and the network of a platform:
    hypermile platform show epyc-9354-ndr --format svg > platform.svg

Exit code:
  0             success
  1             a file is missing or not understood, or Graphviz is missing
  2             wrong usage

docs/platform.md describes the files of platforms and the JSON.)";

constexpr const char* components_footer =
    R"(Examples:
  Where the figures of a CPU come from:
    hypermile platform components epyc-9354

Exit code:
  0             success
  1             there is no such component, or its file is not understood
  2             wrong usage

docs/components.md describes the files of components and the JSON.)";

struct ShowOptions {
  std::string platform;
  std::string format = "text";
  std::vector<io::Swap> swaps;
};

/// The picture that Graphviz makes of a graph.
std::string drawn(const std::string& dot) {
  const std::string tool =
      control::find_program("dot", runtime::own_environment("PATH").value_or(""));
  if (tool.empty())
    throw Error(ErrorKind::unsupported, "--format svg needs Graphviz, whose 'dot' is missing",
                "apt-get install graphviz, or --format dot");
  const io::TemporaryFolder folder;
  const std::string graph = folder.path() / "platform.dot";
  const std::string picture = folder.path() / "platform.svg";
  io::write_text_file(graph, dot);
  control::run_command({tool, "-Tsvg", "-o", picture, graph}, Seconds{60});
  return io::read_text_file(picture);
}

std::string shown(const model::Platform& platform, const std::string& format) {
  if (format == "dot")
    return report::platform_dot(platform);
  if (format == "svg")
    return drawn(report::platform_dot(platform));
  if (format == "json")
    return report::platform_json(platform);
  return format == "yaml" ? io::platform_text(platform) : report::print_platform(platform);
}

void add_show_command(CLI::App& platform, int& exit_code) {
  auto* command =
      platform.add_subcommand("show", "Show what a platform consists of, also as a graph");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile platform show PLATFORM [OPTIONS]"));
  command->footer(show_footer);
  const auto options = std::make_shared<ShowOptions>();
  command
      ->add_option("PLATFORM", options->platform,
                   "A bundled platform or a file in YAML, hypermile/platform/1")
      ->required()
      ->check(not_empty());
  command->add_option("--format", options->format, "What to print, see below. Default: text")
      ->type_name("FORMAT")
      ->check(one_of({"text", "dot", "svg", "json", "yaml"}));
  command->add_flag_callback(
      "--json", [options] { options->format = "json"; }, "The same as --format json");
  add_swap_option(*command, options->swaps);
  command->callback([options, &exit_code] {
    print_result(shown(load_named_platform(options->platform, options->swaps), options->format));
    exit_code = static_cast<int>(ExitCode::success);
  });
}

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
    for (const std::string& name : io::names_in(folder, ".yaml"))
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
  command->footer(components_footer);
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
  auto* command = root.add_subcommand(
      "platform", "Show platforms, and the components that they are composed of");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile platform COMMAND [OPTIONS]"));
  command->get_formatter()->label("Subcommands", "Commands");
  command->footer(platform_footer);
  command->require_subcommand(1);
  add_show_command(*command, exit_code);
  add_components_command(*command, exit_code);
}

} // namespace hypermile::cli
