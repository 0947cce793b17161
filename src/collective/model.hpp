#pragma once

#include "collective/calibration.hpp"
#include "collective/curve.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace hypermile::collective {

/// What is to be estimated.
struct Question {
  std::size_t nodes = 1;
  std::size_t processes_per_node = 1;
  std::size_t size_b = 0;
  std::size_t messages = 1;
  std::size_t switches = 0; ///< [D13]'s M
  Watts switch_power{};     ///< of each, constant ([D13] 4.2.1)
};

/// A value with the interval in which the median of all passes lies that there might be: between
/// order statistics of those that there are, whatever their distribution, and wider by the misfit
/// of the model.
template <class Quantity> struct Within {
  Quantity value{};
  std::optional<Quantity> low{}; ///< none: one pass only, which might be another a second time
  std::optional<Quantity> high{};
  /// With which probability: at least 95 %, or what the passes reach, if that is less.
  double confidence = 0;
};

/// Time and energy of one variant for all messages together.
struct Estimate {
  Variant variant{};
  Within<Seconds> time{};
  std::optional<Within<Joules>> energy{}; ///< none: no power is known
  /// Why it goes beyond what was calibrated; empty: it does not.
  std::string extrapolated{};
  std::vector<double> times_s{};    ///< by pass
  std::vector<double> energies_j{}; ///< by pass; empty: no power is known
  double misfit = 0;                ///< of the model: root mean square of fitted / measured - 1
  bool exact = false;               ///< no pass would differ: misfit is all that is unsure
};

/// The formulas that are used.
enum class Formulas {
  ours,  ///< whole algorithms, piecewise in the size; pipelines by Form::pipeline
  paper, ///< [D13] 3.2.2 to the letter, for the algorithms that it has
};

/// All variants of a calibration, fitted: in the size piecewise, T_S and 1/R linear in log2 of the
/// number of nodes, and piecewise linear in the processes per node. Where it is known how threads
/// copy, each algorithm is there as a hybrid, too ([D13] 3.3.1).
class Model {
public:
  /// Throws Error{model} where there is nothing to fit: no cell, or with Formulas::paper none that
  /// the paper has.
  explicit Model(const Calibration& calibration, Formulas formulas = Formulas::ours);
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  /// One for each variant, in the order of their names, then the hybrids, for which each process of
  /// the question is a thread: with one process per node as a platform says how its threads copy;
  /// or with as many processes and threads as were measured, if they make as many together; then
  /// by_two_calls, if both were calibrated.
  /// Algorithms that do not work with so many processes or this size are left out. The
  /// calibration's switches count where the question has none. Throws Error{model} for a question
  /// without at least two processes, and where nothing is left.
  [[nodiscard]] std::vector<Estimate> estimate(const Question& question) const;

private:
  struct Fitted;
  [[nodiscard]] std::optional<Copying> copying(std::size_t threads) const;
  /// Among the question's nodes with so many processes on each, followed by that copy.
  void add_hybrids(std::vector<Estimate>& estimates, const Question& question,
                   std::size_t processes_per_node, const Estimate& copy) const;
  void add_by_two_calls(std::vector<Estimate>& estimates, const Question& question) const;
  const Collective* collective_;
  std::vector<Fitted> variants_;
  std::vector<Fitted> calls_;           ///< of by_two_calls
  std::vector<Fitted> measured_copies_; ///< by threads, ascending
  std::vector<Copying> copies_;
  std::optional<Watts> switch_power_;
};

} // namespace hypermile::collective
