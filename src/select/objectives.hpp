#pragma once

#include "model/problem.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace hypermile::select {

/// What is optimised. A new objective is a name here and a row in the table below; --help, error
/// messages, JSON and the tests take it from there.
enum class Objective { maxdist, edp, ed2p, edp48, energy, time };

/// What a score refers to.
struct ScoreReference {
  model::Baseline baseline;
  double time_weight = 1; ///< other than 1 only where the objective takes a weight
  double energy_weight = 1;
};

/// A row of the table of objectives.
///
/// The theorems of docs/selection.md rest on two properties of every score, which
/// tests/select/objectives_test.cpp checks for every row: it never falls when time or energy grow
/// (monotone), and along a straight line between two points (time, energy) with P_norm <= 2 it is
/// never less than the smaller of its two ends (quasi-concave). Theorem 7 rests on a third: what a
/// second is worth (Score::price_of_time) falls with time and never falls with energy.
struct ObjectiveRow {
  Objective objective;
  std::string_view name;   ///< on the command line and in JSON
  std::string_view help;   ///< one line
  std::string_view better; ///< in words: "less E*T"
  std::string_view unit;   ///< of the score; empty: a number relative to gear 0
  /// The score of iterations that are k times as long, baseline included, is k^this as large.
  int power_of_length;
  bool takes_weight;   ///< of time against energy
  bool ignores_energy; ///< then the plan of least energy is chosen among equals
  double (*score)(const ScoreReference&, Seconds, Joules); ///< less is better
};

namespace score {

/// [F16] Eq. 3.5, negated
inline double distance(const ScoreReference& reference, Seconds time, Joules energy) {
  return reference.energy_weight * (energy / reference.baseline.energy) -
         reference.time_weight * (reference.baseline.time / time);
}

/// [F16] Eq. 4.8, 4.9. Beyond P_norm = 2 the product would reward energy, so a quotient continues
/// it: still smaller for less time and for less energy.
inline double edp48(const ScoreReference& reference, Seconds time, Joules energy) {
  const double e_norm = energy / reference.baseline.energy;
  const double delay = 2 - reference.baseline.time / time;
  return delay >= 0 ? e_norm * delay : delay / e_norm;
}

inline double edp(const ScoreReference&, Seconds time, Joules energy) {
  return energy.value() * time.value();
}
inline double ed2p(const ScoreReference&, Seconds time, Joules energy) {
  return energy.value() * time.value() * time.value();
}
inline double least_energy(const ScoreReference&, Seconds, Joules energy) { return energy.value(); }
inline double least_time(const ScoreReference&, Seconds time, Joules) { return time.value(); }

} // namespace score

// objective, name, help, better, unit, power_of_length, takes_weight, ignores_energy, score
inline constexpr std::array<ObjectiveRow, 6> objective_rows{{
    {Objective::maxdist, "maxdist", "performance minus energy, both relative to gear 0",
     "more distance", "", 0, true, false, score::distance},
    {Objective::edp, "edp", "least E*T", "less E*T", "J s", 2, false, false, score::edp},
    {Objective::ed2p, "ed2p", "least E*T^2", "less E*T^2", "J s^2", 3, false, false, score::ed2p},
    {Objective::edp48, "edp48", "least E_norm*(2 - P_norm), [F16] Eq. 4.8",
     "less E_norm*(2 - P_norm)", "", 0, false, false, score::edp48},
    {Objective::energy, "energy", "least E", "less energy", "J", 1, false, false,
     score::least_energy},
    {Objective::time, "time", "least T; least E among equals", "less time", "s", 1, false, true,
     score::least_time},
}};

/// The score of the objective's row, in a form that the compiler can inline into loops: a call
/// through the pointer made selections for few nodes 20 % slower.
[[nodiscard]] inline double score_of(Objective objective, const ScoreReference& reference,
                                     Seconds time, Joules energy) {
  return [&]<std::size_t... Row>(std::index_sequence<Row...>) {
    double score = 0;
    (void)((objective == objective_rows[Row].objective &&
            (score = objective_rows[Row].score(reference, time, energy), true)) ||
           ...);
    return score;
  }
  (std::make_index_sequence<objective_rows.size()>{});
}

/// All objectives, in the order of the enumerators.
[[nodiscard]] std::span<const ObjectiveRow> objectives();
[[nodiscard]] const ObjectiveRow& row_of(Objective objective);
[[nodiscard]] inline std::string_view name_of(Objective o) { return row_of(o).name; }
[[nodiscard]] std::optional<Objective> objective_named(std::string_view name);
/// "maxdist, edp, ...".
[[nodiscard]] std::string objective_names();
/// A difference of two scores: "0.54 points" (hundredths) if relative to gear 0, or "3.2 J s".
[[nodiscard]] std::string difference_in_words(Objective objective, double difference);

} // namespace hypermile::select
