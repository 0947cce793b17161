#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hypermile::study {

/// An option of `hypermile simulate`, which is given once for each of its values.
struct Option {
  std::string name; ///< without the dashes
  std::vector<std::string> values;

  bool operator==(const Option&) const = default;
};

/// A program of a study, in all its sizes.
struct Program {
  std::string name;
  std::vector<std::string> command; ///< with its arguments; see filled()
  std::string recording{}; ///< file of a recorded run, which is repeated in place of `command`
  std::vector<std::string> classes; ///< at least one; empty text: the program has none
  std::vector<std::size_t> ranks;   ///< at least one
  std::vector<Option> options;      ///< these take the place of the study's of the same name
};

/// What is to be simulated: every program in every class, on every number of ranks of every
/// platform, by all methods.
struct Study {
  std::string name;
  std::vector<Program> programs;
  std::vector<std::string> platforms; ///< names of bundled platforms, or files
  std::vector<std::string> methods;   ///< as `hypermile simulate --compare` takes them
  std::vector<Option> options;        ///< of all simulations
  std::size_t repeat = 1;             ///< how often each is made
};

/// A study of more cells is refused.
inline constexpr std::size_t most_cells = 100'000;

/// How many cells the study has. At most `most_cells` + 1 is told.
[[nodiscard]] std::size_t count_cells(const Study& study);

/// The word with {class} and {n} (the number of ranks) replaced. Throws Error{config} for another
/// name in braces; braces around anything but letters stay.
[[nodiscard]] std::string filled(const std::string& word, const std::string& class_name,
                                 std::size_t ranks);

/// One simulation: a program in one class, on so many ranks of one platform, by all methods, which
/// see the same computation.
struct Cell {
  std::size_t number = 1; ///< in the study, from 1
  std::string program;
  std::string class_name; ///< empty: the program has none
  std::size_t ranks = 1;
  std::string platform;
  std::size_t repetition = 1;
  std::vector<std::string> arguments; ///< of `hypermile`, "simulate" first
  /// Of the `hypermile simulate` that records the computation of the program, which the cells on
  /// all platforms share. Empty: the study gives a recording.
  std::vector<std::string> recorder;

  bool operator==(const Cell&) const = default;
};

/// The cells of the study, in the order of its programs, classes, ranks and platforms.
[[nodiscard]] std::vector<Cell> cells_of(const Study& study);

/// "cg A, 8 ranks, table-3.1, repetition 2".
[[nodiscard]] std::string described(const Cell& cell);

} // namespace hypermile::study
