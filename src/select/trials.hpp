#pragma once

#include "model/dependency/prediction.hpp"
#include "select/dependency_search.hpp"
#include "select/score.hpp"

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace hypermile::select {

/// Lower bounds on the time of a recorded program whatever the gears: each is a path through its
/// timeline, or less than one (docs/selection.md, Theorem 8),
///
///     T >= constant + sum over the nodes of slope * S.
class PathBounds {
public:
  explicit PathBounds(std::size_t nodes) : nodes_(nodes) {}

  /// `slopes`: one per node, >= 0.
  void add(Seconds constant, std::span<const Seconds> slopes);
  [[nodiscard]] std::size_t size() const { return constants_.size(); }
  [[nodiscard]] Seconds constant(std::size_t path) const { return constants_[path]; }
  [[nodiscard]] std::span<const Seconds> slopes(std::size_t path) const {
    return {slopes_.data() + path * nodes_, nodes_};
  }
  /// One bound with these scales, one per node.
  [[nodiscard]] Seconds at(std::size_t path, std::span<const double> scales) const;
  /// The largest of the bounds.
  [[nodiscard]] Seconds at(std::span<const double> scales) const;

private:
  std::size_t nodes_;
  std::vector<Seconds> constants_;
  std::vector<Seconds> slopes_; ///< path by path
};

/// What a gear vector is worth: less is better, and what keeps the bounds is better than what
/// does not.
struct Worth {
  bool misses_bounds = true;
  double value = unreachable; ///< the score, or the worst violation relative to its bound
  auto operator<=>(const Worth&) const = default;
};

/// The gear vectors of a recorded program that were tried, the best of them, and lower bounds for
/// all others: a try that took longer than the bounds say adds its critical path to them.
class Trials {
public:
  /// Keeps references to predictor and limits.
  Trials(const model::dependency::Predictor& predictor, const Score& score,
         const SearchLimits& limits);
  /// Judges all tries again, by another score; the bounds hold whatever the score.
  void judge_by(const Score& score);

  /// Evaluates the timeline, unless these gears were tried before.
  Worth evaluate(std::span<const model::Gear> gears);
  /// The same, and adds the critical path to the bounds where they are too low: five times the
  /// work.
  Worth evaluate_with_cut(std::span<const model::Gear> gears);
  /// No more than evaluate() would give.
  [[nodiscard]] Worth lower_bound(std::span<const model::Gear> gears);
  /// The same for gears that take at least this.
  [[nodiscard]] Worth lower_bound(Seconds time, Joules energy, Watts peak) const;

  [[nodiscard]] const Worth& best() const { return best_; }
  [[nodiscard]] std::span<const model::Gear> best_gears() const { return best_gears_; }
  [[nodiscard]] const model::Prediction& best_prediction() const { return best_prediction_; }
  /// So many of those tried, or all, best first.
  [[nodiscard]] std::vector<std::vector<model::Gear>> best(std::size_t most) const;
  /// Of gears that were tried.
  [[nodiscard]] const model::Prediction& prediction(const std::vector<model::Gear>& gears) const {
    return tried_.at(gears).prediction;
  }
  [[nodiscard]] Watts peak(std::span<const model::Gear> gears) const;

  [[nodiscard]] const model::dependency::Predictor& predictor() const { return predictor_; }
  [[nodiscard]] const Score& score() const { return score_; }
  [[nodiscard]] PathBounds& bounds() { return bounds_; }
  [[nodiscard]] const PathBounds& bounds() const { return bounds_; }
  [[nodiscard]] bool exhausted() const {
    return evaluations_ >= limits_.most_evaluations || compared_ >= limits_.most_comparing ||
           (limits_.out_of_time && limits_.out_of_time());
  }
  [[nodiscard]] const SearchLimits& limits() const { return limits_; }
  /// All bounds were looked at, once for each of so many nodes: see SearchLimits::most_comparing.
  void note_comparing(std::size_t nodes) {
    compared_ += static_cast<double>(bounds_.size()) * static_cast<double>(nodes);
  }
  [[nodiscard]] std::size_t evaluations() const { return evaluations_; }
  /// A pass over the timeline beside the tries, with scales that no gear need have.
  [[nodiscard]] Seconds time(std::span<const double> scales_of_nodes);
  /// Adds the critical path with these scales, if the bounds are below the time there by more
  /// than this part of it. Returns whether they were.
  bool explain(std::span<const double> scales_of_nodes, double tolerance);

private:
  void add_critical_path(std::span<const double> scales_of_nodes, Seconds time);
  void spread(std::span<const double> scales_of_nodes);
  void node_scales(std::span<const model::Gear> gears);

  const model::dependency::Predictor& predictor_;
  const SearchLimits& limits_;
  Score score_;
  Score violation_;
  Score monotone_;
  Score monotone_violation_;
  PathBounds bounds_;
  std::size_t evaluations_ = 0;
  double compared_ = 0;
  struct Try {
    model::Prediction prediction;
    Worth worth;
  };
  void judge(const std::vector<model::Gear>& gears, Try& result);
  std::map<std::vector<model::Gear>, Try> tried_;
  Worth best_;
  std::vector<model::Gear> best_gears_;
  model::Prediction best_prediction_;
  model::dependency::Predictor::Workspace workspace_;
  model::dependency::Dependencies::Workspace pass_;
  std::vector<double> scales_; ///< by node
  std::vector<double> rank_scales_;
};

} // namespace hypermile::select
