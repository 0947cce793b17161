#pragma once

#include "model/sensitivity_estimate.hpp"
#include "runtime/exchange/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::runtime {

/// Learns how much computation reacts to gears (see model::stretch()) from the gears that were
/// visited anyway: for each segment, which is what a rank computes before the calls of a function
/// at one place, in each iteration. What nothing is known of reacts in full.
class SensitivityLearner {
public:
  /// Adds what ranks tell, one measurement per rank, as they told it. Iterations that were told
  /// before do not count again.
  void learn(const std::vector<Measurement>& all);
  /// What was told so far teaches nothing.
  void pass_over(const std::vector<Measurement>& all);
  /// Puts into the measurements what is known, and what would have been in gear 0 by that.
  /// `careful`: where a bound is kept, computation is rather taken to react more than less.
  void apply(std::vector<Measurement>& all, bool careful) const;
  /// Of all that the rank computes.
  [[nodiscard]] double of_rank(std::size_t rank, bool careful) const;
  /// Segments that are known to react less than in full, by what they share. `functions`: as
  /// Timeline's.
  [[nodiscard]] std::vector<LearntSensitivity>
  report(const std::vector<std::string>& functions) const;

private:
  using Segment = std::pair<std::uint16_t, std::uint32_t>;   ///< function and place of the calls
  using Estimates = std::vector<model::SensitivityEstimate>; ///< by rank
  using Times = std::map<Segment, double>;                   ///< s
  /// By how much iterations became longer on the way, in the same gear: of the logarithm.
  struct Drift {
    double change = 0;
    double seconds = 0; ///< that passed
  };
  /// Logarithms of what a rank's iterations took that were not told before.
  struct Iterations {
    std::vector<double> earlier; ///< before the last change of gears
    std::vector<double> times;   ///< after it
    std::vector<double> moments; ///< s: when these began
  };
  static std::optional<Drift> drift_of(const Iterations& iterations);
  Iterations learn_events(const Measurement& m);
  /// What it took in all; none where it was not in one gear.
  std::optional<double> add_iteration(const Measurement& m, std::size_t first, std::size_t end,
                                      double moment);
  void learn_drift(const std::vector<Drift>& of_ranks);
  void learn_common(const std::vector<std::vector<double>>& of_ranks);
  /// By how much iterations change for reasons that are not the gear.
  [[nodiscard]] model::LevelNoise level() const;
  Iterations learn_means(const Measurement& m);
  void estimate();
  [[nodiscard]] double value(Segment segment, std::size_t rank, bool careful) const;
  [[nodiscard]] double in_gear0(Segment segment, std::size_t rank) const;

  std::map<Segment, std::vector<std::vector<model::GearVisit>>> visits_; ///< by rank
  std::map<Segment, Estimates> estimates_; ///< of those that are known
  std::vector<std::uint64_t> next_;        ///< by rank: the first event that has not been told
  double drifts_ = 0;                      ///< sum of squares of what ranks have in common
  std::size_t times_drifted_ = 0;
  double rate_ = 0;           ///< of the last drift, per second
  double common_squares_ = 0; ///< of what single iterations have in common on all ranks
  double common_freedom_ = 0;
  double lasting_rates_ = 0; ///< sum of products of each with the next one
};

} // namespace hypermile::runtime
