#pragma once

#include "compare/results.hpp"

#include "estimate/difference.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::compare {

/// Time or energy of the same thing on both sides, in s or J.
struct Quantity {
  estimate::Sample a;
  estimate::Sample b;
  std::optional<estimate::Interval> difference; ///< of the means, B - A; none: too few runs
  std::optional<estimate::Interval> ratio; ///< of the means, B / A; none: A varies too much, too

  [[nodiscard]] double more() const { return b.mean - a.mean; }
  [[nodiscard]] double times() const { return b.mean / a.mean; }
  /// Whether there is a difference that these runs show; none: there is no interval.
  [[nodiscard]] std::optional<bool> shown() const;
};

/// What B made of one run of A: of a program, of a method, of a method in a cell of a study.
struct Pair {
  std::string cell; ///< empty: of no study
  std::string method_a;
  std::string method_b;
  bool of_one_simulation = false; ///< all of whose runs have the same computation: without chance
  Quantity time;
  std::optional<Quantity> energy{}; ///< none: not known on both sides, or 0
  std::vector<EnergyBy> energy_a{}; ///< how it is known; several where runs differ in that
  std::vector<EnergyBy> energy_b{};
};

/// The geometric mean of B / A over the cells of a study.
struct Mean {
  double ratio;
  std::optional<estimate::Interval> interval; ///< none: there is one cell
};

struct CellsMean {
  std::string method_a;
  std::string method_b;
  std::size_t cells;
  Mean time;
  std::optional<Mean> energy; ///< none: some cell has none
};

/// A fact in which the sides differ, or one of them in itself.
struct Difference {
  std::string what;
  std::string a;
  std::string b;
};

struct Comparison {
  std::vector<std::string> a; ///< paths
  std::vector<std::string> b;
  double confidence;
  std::vector<Pair> pairs{};             ///< at least one
  std::vector<CellsMean> means{};        ///< by method, of a study; else empty
  std::vector<Difference> differences{}; ///< empty: like for like, as far as the results tell
  std::vector<std::string> remarks{};    ///< why figures may mislead
  std::vector<std::string> only_in_a{};  ///< runs that have nothing to be compared with
  std::vector<std::string> only_in_b{};
};

struct Question {
  std::vector<std::string> a; ///< folders and files, at least one
  std::vector<std::string> b;
  double confidence = 0.95;
  std::string method_a{}; ///< of simulated runs: only this one; empty: all
  std::string method_b{};
};

/// Throws Error{config} for results that cannot be read, that are named twice on a side, and that
/// have nothing to be compared.
[[nodiscard]] Comparison compare(const Question& question);

/// The same of runs that have been read.
[[nodiscard]] Comparison compare_runs(const Question& question, const std::vector<Run>& a,
                                      const std::vector<Run>& b);

/// What the facts of the runs on both sides differ in.
[[nodiscard]] std::vector<Difference> differences_of(const std::vector<const Run*>& a,
                                                     const std::vector<const Run*>& b);

/// "cg A, 8 ranks, table-3.1: exact"; "" where there is only one run to be compared.
[[nodiscard]] std::string name_of(const Pair& pair);

} // namespace hypermile::compare
