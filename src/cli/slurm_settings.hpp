#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What `srun --hypermile=SETTINGS` asks for.
struct SlurmSettings {
  bool off = false;
  std::vector<std::string> options{};  ///< of `hypermile run`: "--max-slowdown", "3%"
  std::optional<std::string> report{}; ///< folder of each step, with %j and the like; "none"
  std::optional<std::string> show{};   ///< on stderr at the end: verdict, report or nothing
  std::optional<std::string> jobs{};   ///< file of lines of jobs, with %u and the like
};

/// The words of a list with commas between them. What begins with a digit belongs to the word
/// before it: "gears=0,3,5" is one word.
std::vector<std::string> settings_in(std::string_view text);

/// Reads SETTINGS: names of methods and objectives, NAME=VALUE and names of switches, as `run`
/// declares its options. Throws Error{config} that names the setting that is not understood.
SlurmSettings parse_slurm_settings(std::string_view text, const CLI::App& run);

/// A setting of the site, NAME=VALUE, as the variable of the same name. Throws Error{config} for a
/// name that there is not.
std::pair<std::string, std::string> site_variable(const std::string& setting);

} // namespace hypermile::cli
