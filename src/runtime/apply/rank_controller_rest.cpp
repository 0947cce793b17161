// What a rank does whose MPI calls are so many that it costs too much to watch them.

#include "runtime/apply/rank_controller.hpp"

#include <limits>
#include <utility>

namespace hypermile::runtime {
namespace {

/// The rank rests until it may spend half as much again as it has spent.
constexpr double spent_again = 0.5;
/// Or until it has made few calls for so long, since watching them then costs little: a flood of
/// calls may be over.
constexpr Seconds quiet_enough{0.25};
constexpr double few = 0.5; ///< of the share that watching may take
constexpr Seconds for_good{std::numeric_limits<double>::infinity()};

} // namespace

/// The search for the loop and the choices have limits of their own.
bool RankController::costs_too_much(Seconds now, double share) const {
  return spent_since_account() > (now - account_begin_) * share;
}

Seconds RankController::spent_since_account() const { return watching_.total() - spent_before_; }

/// Nobody's gears rest on what this rank measures, as long as all are in gear 0. Where they are
/// not, all the time that hypermile takes has to keep the bound, or all go back to it.
void RankController::add_sample(Seconds cost, Seconds now) {
  watching_.add(cost);
  if (!ports_.may_rest || plan_ || rests() || !costs_too_much(now, share_for_watching_))
    return;
  if (role_ != Role::chooses) {
    if (!measure_only_)
      rests_until_ = for_good;
  } else if (!in_gears_) {
    rests_until_ = account_begin_ +
                   (spent_since_account() + watching_.total() * spent_again) / share_for_watching_;
    few_since_ = now;
    calls_at_rest_ = 0;
  } else if (watches_fit_ && costs_too_much(now, share_of_bound_) &&
             !std::exchange(told_of_cost_, true)) {
    tell_drift();
  }
}

Seconds RankController::add_unwatched(Span calls) {
  count(calls);
  const Seconds passed = calls.end - calls.begin;
  unwatched_ += passed;
  watch_.pass_unwatched(passed);
  (void)read_energy(calls.end);
  if (calls.end >= *rests_until_ || calls_are_few(calls))
    end_rest();
  return act(calls.end);
}

/// Then the account begins anew with those that were few.
bool RankController::calls_are_few(const Span& calls) {
  calls_at_rest_ += calls.calls;
  const Seconds passed = calls.end - few_since_;
  if (passed < quiet_enough || rests_until_ == for_good)
    return false;
  const bool are_few = watching_.of_one() * static_cast<double>(calls_at_rest_) <=
                       passed * (share_for_watching_ * few);
  if (are_few) {
    account_begin_ = few_since_;
    spent_before_ = watching_.total();
  }
  few_since_ = calls.end;
  calls_at_rest_ = 0;
  return are_few;
}

void RankController::end_rest() {
  if (rests_until_ && *rests_until_ != for_good)
    rests_until_.reset();
}

} // namespace hypermile::runtime
