#pragma once

#include "select/exact.hpp"

namespace hypermile::select {

/// How the walks of [F16] Algorithms 5, 7 and 8 and of its EDP comparison differ.
struct WalkRules {
  bool literal = false;          ///< as printed, with the loop ended when nothing can move
  bool stop_at_negative = false; ///< end at the first vector with a negative distance (7, 8)
  bool by_edp48 = false;         ///< keep the least E_norm * (2 - P_norm), not the largest distance
};

/// [F16] Algorithms 5, 7 and 8: walks from the gears that use up the slack of gear 0 (Eq. 3.6, 3.7)
/// down to the slowest ones, and leaves the best vector seen in `best`: all in gear 0 if none is
/// better than that. The slowest node keeps its gear, except in the asynchronous models.
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

/// [F16] Algorithm 3, for a homogeneous problem: the gear with the largest distance, from gear 1
/// down; gear 0 if none is positive. The prediction is that of the problem's energy model for this
/// one gear. Fills gears, prediction and tasks.
void epsa(const model::Problem& problem, Plan& plan);

/// Rauber and Ruenger, for a homogeneous problem: S_opt of [F16] Eq. 2.3 within the gears' range.
/// The prediction is that of Eq. 2.4 and 1.19 for the continuous factor, whatever the problem's
/// energy model; the gears are the slowest that are fast enough. `slowest_at_full_speed`: R_{E-P}.
void rauber_ruenger(const model::Problem& problem, bool slowest_at_full_speed, Plan& plan);

/// Visits every gear vector and keeps the best that the bounds of `score` allow, or the one with
/// the least worst violation. Throws Error{model} above `brute_limit` vectors.
void brute_force(const model::Problem& problem, const Score& score, Plan& plan);

/// What the methods work with, kept from call to call.
struct Solvers {
  ExactSolver exact;
  Walk walk;
};

} // namespace hypermile::select
