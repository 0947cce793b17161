#pragma once

#include "study/outcome.hpp"
#include "study/study.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// What [F16] sections 4.6 and 4.7 compare: a multisplitting program whose clusters wait for each
/// other in each outer iteration, or do not.
namespace hypermile::study {

/// The program, and how its gears are set.
struct MultisplittingVersion {
  bool is_asynchronous = false; ///< the program
  std::string apply{};          ///< --apply: sync or async; empty: it stays in gear 0
};

/// What was printed, or found; fractions and points / 100.
struct MultisplittingFigures {
  std::optional<double> saving{};   ///< 1 - E / E_0, against the synchronous program in gear 0
  std::optional<double> slowdown{}; ///< T / T_0 - 1, likewise
  std::optional<double> distance{}; ///< T_0 / T - E / E_0; in the paper saving - slowdown
  std::optional<double> spread{};   ///< standard deviation of the clusters' outer iterations
  [[nodiscard]] bool none() const { return !saving && !slowdown && !distance && !spread; }
};

struct MultisplittingGrid {
  std::string name; ///< in the paper
  std::string platform;
  std::size_t ranks = 1;
  std::size_t clusters = 1;                       ///< of equally many ranks
  std::vector<MultisplittingFigures> published{}; ///< by version; empty: nothing was printed
};

struct MultisplittingTable {
  std::string name; ///< "f16-4.3"
  std::string title;
  std::string source;
  std::string method;    ///< of the paper, as `hypermile simulate` has it
  std::string objective; ///< of `exact`
  std::vector<MultisplittingVersion> versions;
  std::vector<MultisplittingGrid> grids;
  std::vector<MultisplittingFigures> published_means{}; ///< by version, likewise
};

/// f16-4.3, f16-4.5, f16-4.6 and f16-fig-4.5.
[[nodiscard]] std::vector<MultisplittingTable> multisplitting_tables();

/// How the program is run.
struct MultisplittingRuns {
  std::string program; ///< its file
  std::string reference_speed;
};
/// Its options, and those of SimGrid.
[[nodiscard]] std::vector<std::string> multisplitting_arguments();
[[nodiscard]] std::vector<std::string> multisplitting_simgrid_options();

/// The simulations that a table takes; tables share some of them.
[[nodiscard]] std::vector<Cell> cells_of(const MultisplittingTable& table,
                                         const MultisplittingRuns& runs);

struct MultisplittingLine {
  std::size_t version; ///< of the table
  std::string method;  ///< empty: published; "none": gear 0
  MultisplittingFigures figures;
};
struct ComparedGrid {
  const MultisplittingGrid* grid; ///< of the table; null: means over all
  std::string failure{};          ///< why there are no figures, or not all
  std::vector<MultisplittingLine> lines{};
};

/// A row for each grid, and the means where there are several and none failed. `outcomes`: of
/// cells_of(), in that order. The table has to outlive what is returned.
[[nodiscard]] std::vector<ComparedGrid> compare(const MultisplittingTable& table,
                                                const std::vector<Outcome>& outcomes);

/// Standard deviation of the iterations of so many clusters of equally many ranks, which follow
/// each other; none where the numbers do not fit.
[[nodiscard]] std::optional<double> spread_of(const std::vector<std::size_t>& iterations,
                                              std::size_t clusters);

} // namespace hypermile::study
