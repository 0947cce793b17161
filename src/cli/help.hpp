#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace hypermile::cli {

/// Prints --help within the width of a terminal, with a usage line of the command's own.
class HelpFormatter : public CLI::Formatter {
public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {}

  [[nodiscard]] std::string usage() const { return "usage: " + usage_ + "\n"; }
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_positionals(const CLI::App* app) const override; ///< the usage has them
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;

private:
  std::string usage_;
};

/// The commands below a command that help shows.
[[nodiscard]] std::vector<CLI::App*> commands_of(CLI::App& command);

/// The options and arguments of a command that help shows, those in groups, too.
[[nodiscard]] std::vector<CLI::Option*> options_of(CLI::App& command);

[[nodiscard]] inline bool takes_value(const CLI::Option& option) {
  return option.get_type_size() != 0;
}

/// Reports a command line that cannot be understood on stderr, with where to find help. Returns
/// the exit code.
int report_usage_error(const CLI::App& app, const CLI::ParseError& error);

} // namespace hypermile::cli
