#pragma once

#include "tune/broadcast_job.hpp"
#include "tune/chosen.hpp"

#include <string>
#include <vector>

namespace hypermile::tune {

/// What was expected, and what the library did.
struct Observed {
  Expected expected{};
  std::string seen{}; ///< "-": this library does not show it, "?": no algorithm that is known
  /// Whether it is what was expected, or nothing was.
  [[nodiscard]] bool as_expected() const;
};

/// Broadcasts of each expected size, in communicators of the expected numbers of processes, with
/// the file in force, and which algorithm ran. Throws as run_broadcasts(), and where a user ends
/// it.
[[nodiscard]] std::vector<Observed> observe(const Launch& launch,
                                            const std::vector<Expected>& expected);

/// Variables that put a file of rules in force; `file`: absolute.
[[nodiscard]] control::Variables settings_of_file(collective::Library library,
                                                  const std::string& file);
/// The same as options of mpirun.
[[nodiscard]] std::string options_of_file(collective::Library library, const std::string& file);

/// What was written to this file: hypermile/collective-rules/1
[[nodiscard]] std::string applied_json(collective::Library library, const std::string& file,
                                       const std::vector<Chosen>& chosen);

[[nodiscard]] std::string print_observed(const std::vector<Observed>& observed);
/// hypermile/collective-verification/1
[[nodiscard]] std::string observed_json(collective::Library library,
                                        const std::vector<Observed>& observed);

} // namespace hypermile::tune
