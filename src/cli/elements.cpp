#include "cli/elements.hpp"

#include <algorithm>
#include <iterator>

namespace hypermile::cli {

std::vector<CLI::App*> commands_of(CLI::App& command) {
  return command.get_subcommands([](const CLI::App* below) {
    return !below->get_name().empty() && !below->get_group().empty();
  });
}

std::vector<CLI::Option*> options_of(CLI::App& command) {
  auto options = command.get_options([](const CLI::Option*) { return true; });
  for (CLI::App* group :
       command.get_subcommands([](const CLI::App* below) { return below->get_name().empty(); }))
    std::ranges::copy(options_of(*group), std::back_inserter(options));
  std::erase_if(options, [](const CLI::Option* option) { return option->get_group().empty(); });
  return options;
}

} // namespace hypermile::cli
