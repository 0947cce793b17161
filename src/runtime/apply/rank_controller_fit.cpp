// Whether the program still does what its gears were chosen for.

#include "runtime/apply/rank_controller.hpp"

#include <utility>

namespace hypermile::runtime {
namespace {

constexpr std::size_t iterations_known = 16;
/// Iterations of a loop that took over in which all ranks should have found it.
constexpr double soon = 2;

} // namespace

/// Since gears were chosen. What is measured while an order is awaited does not count.
bool RankController::has_drifted() {
  if (role_ != Role::chooses || !repetition_.adaptive || waiting_ || changes_.empty() ||
      takeovers_ != watch_.takeovers())
    return false;
  const std::size_t count = watch_.measured_iterations();
  const std::size_t before = std::exchange(watched_iterations_, count);
  if (count <= before)
    return false;
  const Span now = watch_.measured();
  const Span then = std::exchange(watched_, now);
  const auto more = static_cast<double>(count - before);
  return drift_.add((now.computation_in_gear0 - then.computation_in_gear0) / more,
                    (now.computation + now.communication - then.computation - then.communication) /
                        more);
}

/// From now on iterations are measured afresh.
void RankController::watch_drift_afresh() {
  watched_ = {};
  watched_iterations_ = 0;
  takeovers_ = watch_.takeovers();
  drift_.begin();
}

/// Gears were ordered for the loop that is the main one now.
void RankController::watch_fit() {
  fit_.end();
  order_due_.reset();
  if (!watches_fit_ || !watch_.has_mean())
    return;
  fit_.begin(ports_.clock.now(), watch_.mean_length(), node_.type.gears.scale(changes_.back().gear),
             watch_.last_computed(iterations_known));
  fitting_iterations_ = watch_.iterations();
  fitting_phase_ = watch_.phase();
}

/// Where the program does something else than what its gear was chosen for, the rank goes back to
/// gear 0 by itself until the loop goes on. False where rank 0 has to choose again.
bool RankController::still_fits(Seconds now) {
  if (role_ == Role::chooses && order_due_ && now > *order_due_) {
    order_due_.reset();
    suspend();
  }
  if (!fit_.watches() || role_ != Role::chooses)
    return true;
  if (takeovers_ != watch_.takeovers()) { // soon chosen for, if the other ranks see it, too
    fit_.end();
    if (watch_.phase() != fitting_phase_)
      suspend();
    else if (watch_.has_mean())
      order_due_ = now + watch_.mean_length() * soon;
    if (suspended_)
      watch_.measure_afresh();
    return true;
  }
  const std::size_t more = watch_.iterations() - fitting_iterations_;
  if (more == 0) {
    if (fit_.is_away(now))
      suspend();
    return true;
  }
  fitting_iterations_ += more;
  // What was done while the loop was away is not of it.
  if (suspended_ ? fit_.is_late_again(now) : fit_.add(now, watch_.last_computed(1).back())) {
    fit_.end();
    suspend();
    return false;
  }
  if (suspended_)
    resume();
  return true;
}

void RankController::suspend() {
  if (changes_.empty() || std::exchange(suspended_, true))
    return;
  suspended_at_ = ports_.clock.now() - start_;
  suspended_computation_ = total_.computation;
  if (ports_.actuator.gear() != 0)
    put_in(0);
}

void RankController::resume() {
  count_away();
  if (changes_.back().gear != 0)
    put_in(changes_.back().gear);
}

/// Until now, if the node was in gear 0 in place of what was ordered.
void RankController::count_away() {
  if (!std::exchange(suspended_, false))
    return;
  changes_.back().away += ports_.clock.now() - start_ - suspended_at_;
  changes_.back().computation_away += total_.computation - suspended_computation_;
}

/// The gear of the node, by what the last order says of who sets it.
void RankController::put_in(std::size_t gear) {
  if (sets_gear_)
    set_gear(gear);
  else
    ports_.actuator.expect_gear(gear);
  watch_.pass_over();
  note_stage();
}

} // namespace hypermile::runtime
