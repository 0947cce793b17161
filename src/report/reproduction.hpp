#pragma once

#include "study/comparison.hpp"

#include <string>
#include <vector>

namespace hypermile::report {

/// What was published beside what was simulated, program by program, the means, and how the set-up
/// here differs. Fits a terminal.
std::string print_reproduction(const study::Comparison& comparison);

/// A table of the literature that can be simulated again.
struct ListedTable {
  std::string name;
  std::string title;
  std::string source;
  std::string class_name{}; ///< that was published; empty: that means nothing
  std::string platform{};   ///< empty: several
  bool among_all = true;    ///< of those that "all" takes
};

/// Names and titles of tables.
std::string print_tables(const std::vector<ListedTable>& tables);

/// Schema `hypermile/reproduction/1` (docs/reproduction.md).
std::string reproduction_json(const std::vector<study::Comparison>& comparisons);

/// The tables that there are, nothing of which was simulated. Schema
/// `hypermile/published-tables/1`.
std::string tables_json(const std::vector<ListedTable>& tables);

/// The same as print_reproduction() as a page in Markdown, with the plot in the file `plot`.
/// `command`: with which it was made.
std::string reproduction_page(const study::Comparison& comparison, const std::string& command,
                              const std::string& plot);

/// The distances of all programs that are done, or the largest errors of predicted times, as SVG.
std::string reproduction_plot(const study::Comparison& comparison);

/// What the line is of: "published, Algorithm 5" or "alg5".
std::string label_of(const study::ComparedLine& line);

/// Why there are no figures of a program; empty: there are.
std::string why_not_compared(const study::ComparedProgram& program);

/// In what the set-up of the paper and ours differ, the class of the programs included; a sentence
/// each.
std::vector<std::string> differences_of(const study::Comparison& comparison);

} // namespace hypermile::report
