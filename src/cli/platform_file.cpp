#include "cli/platform_file.hpp"

#include "cli/checks.hpp"
#include "cli/installation.hpp"

#include "io/platform_yaml.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace hypermile::cli {

io::ComponentSource component_source(std::vector<io::Swap> swaps) {
  return {.platform_folder = platform_folder(), .swaps = std::move(swaps)};
}

model::Platform load_named_platform(const std::string& name, std::vector<io::Swap> swaps) {
  return io::load_platform(io::find_platform(name, platform_folder()),
                           component_source(std::move(swaps)));
}

void add_swap_option(CLI::App& command, std::vector<io::Swap>& swaps) {
  command
      .add_option_function<std::vector<std::string>>(
          "--swap",
          [&swaps](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
              swaps.push_back(io::parse_swap(text));
          },
          "Take another component: the one named NEW in the place of OLD, which is a component of "
          "the platform, or a kind of which it has one (cpu, network). May be repeated. Default: "
          "none")
      ->type_name("OLD=NEW")
      ->allow_extra_args(false)
      ->check(understood_by(io::parse_swap));
}

} // namespace hypermile::cli
