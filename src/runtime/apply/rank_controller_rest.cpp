// What a rank does whose MPI calls are so many that it costs too much to watch them.

#include "runtime/apply/rank_controller.hpp"

#include <limits>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Whatever the share of the time: a program may call MPI often while it begins.
constexpr Seconds anyway{0.05};
/// The rank rests until it may spend so many times what it has spent.
constexpr double spent_again = 1.5;
constexpr Seconds for_good{std::numeric_limits<double>::infinity()};

} // namespace

/// The search for the loop and the choices have limits of their own.
bool RankController::costs_too_much(Seconds now, double share) const {
  return watching_.total() > anyway + (now - start_) * share;
}

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
    rests_until_ = start_ + (watching_.total() * spent_again - anyway) / share_for_watching_;
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
  if (calls.end >= *rests_until_)
    end_rest();
  return act(calls.end);
}

void RankController::end_rest() {
  if (rests_until_ && *rests_until_ != for_good)
    rests_until_.reset();
}

} // namespace hypermile::runtime
