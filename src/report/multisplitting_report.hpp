#pragma once

#include "study/multisplitting.hpp"

#include <string>
#include <vector>

namespace hypermile::report {

/// A table of [F16] chapter 4 beside what came of it here.
struct MultisplittingReport {
  study::MultisplittingTable table;
  std::string reference_speed;
  std::vector<study::ComparedGrid> grids{}; ///< of `table`, which stays where it is
};

/// For a terminal.
[[nodiscard]] std::string print_multisplitting(const MultisplittingReport& report);
/// hypermile/multisplitting/1.
[[nodiscard]] std::string
multisplitting_json(const std::vector<const MultisplittingReport*>& reports);
/// In Markdown. `command`: that makes it; `plot`: its file.
[[nodiscard]] std::string multisplitting_page(const MultisplittingReport& report,
                                              const std::string& command, const std::string& plot);
/// In SVG: distances, or spreads where the table has no more.
[[nodiscard]] std::string multisplitting_plot(const MultisplittingReport& report);

} // namespace hypermile::report
