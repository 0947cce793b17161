#pragma once

#include "runtime/exchange/run_report.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::report {

/// Time and energy of an iteration, or of a run, relative to gear 0: 1.02 is 2 % more.
struct Ratio {
  double time;
  std::optional<double> energy; ///< none: not known
};

/// No gear makes a program faster. What was faster by more than this had something else to do, or a
/// machine that others used less.
inline constexpr double believable_time_ratio = 0.97;

/// What others took of a run's time.
struct TakenByOthers {
  double of_all = 0;  ///< share of the time of all ranks together
  double of_rank = 0; ///< of the rank from which most was taken: others may have waited for it
  /// So much that times say little of gears.
  [[nodiscard]] bool is_much() const { return of_rank > much; }
  static constexpr double much = 0.1;
};

/// While ranks wanted their cores and other programs had them; none: nobody knows.
std::optional<TakenByOthers> taken_by_others(const runtime::RunReport& run);

/// The last choice of gears other than 0; null: none was chosen.
const runtime::Decision* last_gears(const runtime::RunReport& run);

/// Of each node the rank that has told what can be done there; the first one where none has.
/// Refers to the run.
class Leaders {
public:
  explicit Leaders(const runtime::RunReport& run);
  /// One per node, by rank.
  [[nodiscard]] const std::vector<const runtime::RankReport*>& all() const { return all_; }
  [[nodiscard]] const runtime::RankReport& of(const runtime::RankReport& rank) const {
    return *by_node_.find(rank.node.name)->second;
  }
  [[nodiscard]] bool is(const runtime::RankReport& rank) const { return &of(rank) == &rank; }

private:
  std::map<std::string, const runtime::RankReport*, std::less<>> by_node_;
  std::vector<const runtime::RankReport*> all_;
};

/// Whether some node was in another gear than 0.
bool any_gear(const runtime::RunReport& run);

/// By the nodes' power tables and the measured times, less what wait gears saved; none where a
/// node's power is unknown.
std::optional<Joules> table_energy(const runtime::RunReport& run);

/// What the last choice of gears other than 0 predicts of an iteration.
std::optional<Ratio> predicted_ratio(const runtime::RunReport& run);

/// Whether all nodes that heard of that choice were in its gears.
bool all_in_effect(const runtime::RunReport& run);

/// The same as it came: the iterations after that choice against those in gear 0 before any, by
/// the power tables; where there are not both, or they have not the same to do, the time alone as
/// it was compared during the run.
std::optional<Ratio> measured_ratio(const runtime::RunReport& run);

/// Hypermile's own time, on the rank with the most, for which the others wait: of choices and
/// messages, and of watching MPI calls.
Seconds own_time(const runtime::RunReport& run);
/// The same in MPI_Init and in MPI_Finalize, where ranks wait for each other: the last to come
/// waits for nobody. Not part of the time of a run.
Seconds time_at_ends(const runtime::RunReport& run);

/// What the gears, wait gears, and what hypermile itself took, made of the whole run: between every
/// two choices it took the time that is known, which in gear 0 would have been what was measured of
/// the choice, or else predicted. None where no gears were chosen, or only some nodes took them.
std::optional<Ratio> whole_run_ratio(const runtime::RunReport& run);

/// The same of the time in which nodes had gears that were chosen for one of RunReport::phases.
std::optional<Ratio> phase_ratio(const runtime::RunReport& run, std::size_t phase);

} // namespace hypermile::report
