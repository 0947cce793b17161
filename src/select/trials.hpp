#pragma once

#include "model/dependency/prediction.hpp"
#include "select/path_bounds.hpp"
#include "select/score.hpp"
#include "select/search_limits.hpp"

#include <compare>
#include <map>
#include <span>
#include <vector>

namespace hypermile::select {

/// What a gear vector is worth: less is better, and what keeps the bounds is better than what
/// does not.
struct Worth {
  bool misses_bounds = true;
  double value = unreachable; ///< the score, or the worst violation relative to its bound
  auto operator<=>(const Worth&) const = default;
};

/// The gear vectors of a recorded program that were tried, the best of them, and what they prove
/// of those that were not: each try that took longer than the bounds so far promised adds the
/// critical path that explains it.
class Trials {
public:
  /// Keeps references to predictor and limits.
  Trials(const model::dependency::Predictor& predictor, const Score& score,
         const SearchLimits& limits);
  /// Judges all tries again, by another score; the bounds hold whatever the score.
  void judge_by(const Score& score);

  /// Evaluates the timeline, unless these gears were tried before.
  Worth evaluate_with_cut(std::span<const model::Gear> gears);
  /// The same without learning why: a fifth of the work.
  Worth evaluate(std::span<const model::Gear> gears);
  /// No more than evaluate_with_cut() would give: what the bounds promise.
  [[nodiscard]] Worth lower_bound(std::span<const model::Gear> gears);
  /// The same of gears that take at least this.
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
    return evaluations_ >= limits_.most_evaluations ||
           (limits_.out_of_time && limits_.out_of_time());
  }
  [[nodiscard]] const SearchLimits& limits() const { return limits_; }
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
