#pragma once

#include "select/score.hpp"

namespace hypermile::select {

/// How the walks of [F16] Algorithms 5, 7 and 8 and of its EDP comparison differ.
struct WalkRules {
  bool literal = false;          ///< as printed, with the loop ended when nothing can move
  bool stop_at_negative = false; ///< end at the first vector with a negative distance (7, 8)
  bool hold_slowest = true;      ///< the slowest node keeps its gear (5, 7)
  bool by_edp48 = false;         ///< keep the least E_norm * (2 - P_norm), not the largest distance
};

/// Walks from the gears that use up the slack of gear 0 ([F16] Eq. 3.6, 3.7) down to the slowest
/// ones, and leaves the best vector seen in `best`: all in gear 0 if none is better than that.
class Walk {
public:
  void run(const model::Problem& problem, const WalkRules& rules, std::vector<model::Gear>& best);

private:
  void start(const model::Problem& problem, bool literal);
  /// Lowers every unit that may; returns whether any did.
  bool step(const model::Problem& problem, const WalkRules& rules);
  /// Predicts the current gears, and finds the slowest unit where all wait for it.
  [[nodiscard]] model::Prediction measure(const model::Problem& problem);

  std::vector<model::Gear> current_;
  std::size_t slowest_ = 0; ///< first unit with the longest computation
};

} // namespace hypermile::select
