#pragma once

#include "study/outcome.hpp"
#include "study/study.hpp"

#include "units/quantity.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::study {

/// A method of a paper, and what stands for it here.
struct PublishedMethod {
  std::string name;              ///< in the paper
  std::string method;            ///< of `hypermile simulate`
  std::vector<Option> options{}; ///< of `hypermile simulate`, for this method alone
};

/// A row of a table that a paper printed.
struct PublishedProgram {
  std::string name; ///< in the paper: "CG"
  std::size_t ranks = 1;
  std::optional<Seconds> time{}; ///< of the program
  std::optional<Joules> energy{};
  std::vector<Effect> effects{}; ///< as printed, one per method; empty: nothing is printed
};

/// A table, mostly of a paper, with what it takes to make it again. It compares methods; or it
/// checks predictions: nodes are in each of their gears, and models say what that takes.
struct PublishedTable {
  std::string name; ///< "f16-3.2"
  std::string title;
  std::string source;
  std::string class_name;               ///< of its programs; empty: nothing is printed
  std::string platform;                 ///< a bundled one
  std::vector<PublishedMethod> methods; ///< none: it checks predictions
  std::vector<PublishedProgram> programs;
  /// Between the set-up of the paper and ours, a sentence each.
  std::vector<std::string> differences;
  std::vector<Option> options{}; ///< of `hypermile simulate`, for all methods
  /// Of a check: the largest error of a predicted time of any program, as a fraction.
  std::optional<double> time_error{};

  [[nodiscard]] bool checks_predictions() const { return methods.empty(); }
};

/// The programs at hand, by their names in papers, with their arguments; {class} and {n} as in a
/// study.
using Commands = std::map<std::string, std::vector<std::string>>;

/// What is simulated beside the methods of a table.
inline constexpr const char* own_methods[] = {"exact", "planned"};

/// A cell for each program at hand. Where methods of the paper have options of their own, further
/// ones follow, in the same order of programs: a block for each set of options that differs.
/// `shared`: further options of all cells; for a check the gears are among them.
[[nodiscard]] std::vector<Cell> cells_of(const PublishedTable& table, const std::string& class_name,
                                         const Commands& commands,
                                         const std::vector<Option>& shared);

/// In which block of the cells a method of the paper is, from 0.
[[nodiscard]] std::size_t block_of(const PublishedTable& table, const PublishedMethod& method);

} // namespace hypermile::study
