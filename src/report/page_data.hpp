#pragma once

#include <optional>
#include <string>

namespace hypermile::report {

/// What the user says of the world outside of the machine, as the page begins with it.
struct PageFactors {
  std::optional<double> price_per_kwh;
  std::string currency; ///< of the price; may be empty
  std::optional<double> co2_g_per_kwh;
};

/// The hypermile that makes the page.
struct PageTool {
  std::string version;
  std::string platform_folder{}; ///< with the bundled platforms, for problems that name one
};

/// All that the page of `hypermile report` shows, as JSON: of a folder that `hypermile run
/// --report`, `hypermile simulate --report`, `hypermile steer --report` or `hypermile sweep` has
/// left, or of a file with JSON of file_kinds(), its report as it is, what the other files of the
/// folder say of ranks, power and time, and what was computed from these. What is not there is
/// named in it with the reason. Throws Error{config} naming the file for what is no such thing, or
/// cannot be understood.
[[nodiscard]] std::string page_data(const std::string& path, const PageFactors& factors,
                                    const PageTool& tool);

} // namespace hypermile::report
