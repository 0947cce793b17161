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

/// All that the page of `hypermile report` shows of a folder that `hypermile run --report`,
/// `hypermile simulate --report` or `hypermile sweep` has left, as JSON: its report as it is, and
/// what the other files of the folder say of ranks and of power. What is not there is named in it
/// with the reason. Throws Error{config} naming the file for what is no such folder, or cannot be
/// understood.
[[nodiscard]] std::string page_data(const std::string& folder, const PageFactors& factors,
                                    const std::string& version);

} // namespace hypermile::report
