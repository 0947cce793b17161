#pragma once

#include "runtime/decide/length_by_work.hpp"
#include "runtime/exchange/messages.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

[[nodiscard]] bool sets_a_gear(const Decision& decision);
/// Time of an iteration in the gears of the decision against gear 0.
[[nodiscard]] double predicted_time_ratio(const Decision& decision);
/// Makes it one to leave all nodes in gear 0.
void decline(Decision& decision, std::string why);

/// How long iterations take against gear 0, as both were measured: what no model has a say in.
/// Kept apart from all that is measured later, and for one loop only.
class Gear0Ratio {
public:
  /// The program goes on with another loop.
  void forget();
  /// Takes measurements, one per rank, of a program all of which ran in gear 0. Adds to what was
  /// learnt before of the same loop, unless its iterations have changed since.
  void learn(const std::vector<Measurement>& measurements);

  /// Time of an iteration, as measured, against gear 0. Where ranks have more to compute than they
  /// had when that was measured, gear 0 is given as much more. None before learn().
  [[nodiscard]] std::optional<double>
  time_ratio(const std::vector<Measurement>& measurements) const;
  /// The same, but as if ranks had as much to compute as when gear 0 was measured: whether they
  /// have more, or gears cost more than their clocks explain, nobody can tell before gear 0 is
  /// measured again.
  [[nodiscard]] std::optional<double>
  time_ratio_of_same_work(const std::vector<Measurement>& measurements) const;
  /// Standard error of time_ratio(), from how much iterations vary, or from what their work leaves
  /// unexplained, where that is less; as if they did not vary where that is unknown.
  [[nodiscard]] double error(const std::vector<Measurement>& measurements) const;
  /// time_ratio(), where it is good enough to be told: measured in the same loop as gear 0, with a
  /// standard error of 2 % at most.
  [[nodiscard]] std::optional<double>
  tellable_time_ratio(const std::vector<Measurement>& measurements) const;
  /// Whether ranks have so much more to compute by now, or less, that what was measured in gear 0
  /// says little of it.
  [[nodiscard]] bool is_outdated(const std::vector<Measurement>& measurements) const;
  /// Whether another loop has as many times the calls as it has times the computation, so that it
  /// may be told from this one; also where nothing is known.
  [[nodiscard]] bool extends_to(const std::vector<Measurement>& measurements) const;
  /// The part of it that comes from what is known of gear 0.
  [[nodiscard]] double reference_error() const { return error_; }

private:
  struct Rank {
    Seconds computation;
    double calls = 0;
  };
  struct Work {
    Seconds then;
    Seconds now;
  };
  [[nodiscard]] Seconds length_then(const std::vector<Measurement>& measurements) const;
  static double holds(const Measurement& now, const Rank& then);
  [[nodiscard]] Work most_work(const std::vector<Measurement>& measurements) const;
  [[nodiscard]] bool is_unchanged(const std::vector<Measurement>& measurements, double error) const;
  [[nodiscard]] double error_of_means(const std::vector<Measurement>& measurements) const;
  [[nodiscard]] std::optional<TimeRatio>
  by_work(const std::vector<Measurement>& measurements) const;
  [[nodiscard]] bool is_of_same_loop(const std::vector<Measurement>& measurements) const;

  std::vector<Rank> reference_;             ///< an iteration in gear 0, by rank
  Seconds length_;                          ///< of one
  double error_ = 0;                        ///< of that, relative
  std::vector<RecordedIteration> recorded_; ///< of those, ascending
};

} // namespace hypermile::runtime
