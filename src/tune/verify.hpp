#pragma once

#include "tune/chosen.hpp"
#include "tune/collective_job.hpp"

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

/// Operations of each expected size, in communicators of the expected numbers of processes, with
/// the file in force, and which algorithm ran: a job for each collective. Throws as
/// run_collectives(), and where a user ends it.
[[nodiscard]] std::vector<Observed> observe(const Launch& launch,
                                            const std::vector<Expected>& expected);

/// A file of rules, for these collectives.
struct RulesFile {
  collective::Library library = collective::Library::openmpi;
  std::string file{}; ///< absolute
  std::vector<const collective::Collective*> collectives{};
};
/// Variables that put it in force.
[[nodiscard]] control::Variables settings_of_file(const RulesFile& rules);
/// The same as options of mpirun.
[[nodiscard]] std::vector<std::string> options_of_file(const RulesFile& rules);

/// The collectives, each once.
[[nodiscard]] std::vector<const collective::Collective*>
collectives_of(const std::vector<Expected>& expected);

/// What was written to this file: hypermile/collective-rules/1
[[nodiscard]] std::string applied_json(const RulesFile& rules, const std::vector<Choices>& all);

[[nodiscard]] std::string print_observed(const std::vector<Observed>& observed);
/// hypermile/collective-verification/1
[[nodiscard]] std::string observed_json(collective::Library library,
                                        const std::vector<Observed>& observed);

} // namespace hypermile::tune
