// When gears stay as they are, or become again what they were.

#include "runtime/decide/chooser.hpp"

#include "runtime/decide/common_loop.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::runtime {
namespace {

/// As it was measured, or else as it was predicted.
double known_time_ratio(const Decision& decision) {
  return decision.measured_time_ratio.value_or(predicted_time_ratio(decision));
}

Decision taken_again(Decision decision) {
  decision.measured_time_ratio.reset();
  decision.again = false;
  return decision;
}

} // namespace

/// In the last gears. Where these are gear 0, as little was left of the bound, in the best of
/// those that were chosen for the phase before and that it has room for again.
Decision Chooser::go_on() const {
  const Decision* best = &learnt_.decisions.back();
  const double room = learnt_.short_of_room && learnt_.assignment.doubt().empty()
                          ? learnt_.budget.aim(*request_.constraints.max_slowdown)
                          : 0;
  if (room > 0 && !sets_a_gear(*best))
    for (const Decision& decision : learnt_.decisions)
      if (decision.phase == learnt_.phase && !decision.before_loop && sets_a_gear(decision) &&
          known_time_ratio(decision) - 1 <= room &&
          (!sets_a_gear(*best) || decision.prediction.distance >= best->prediction.distance))
        best = &decision;
  return taken_again(*best);
}

Decision Chooser::last_again() const { return taken_again(learnt_.decisions.back()); }

/// The gears that the phase had when it was left, where the bound on slowdown still has room for
/// them. What those of the last phase have cost since the last choice is taken for what was known
/// of it.
std::optional<Decision> Chooser::as_before(const std::vector<Measurement>& all) {
  const auto& decisions = learnt_.decisions;
  const auto of_phase = [this](const Decision& decision) {
    return decision.phase == learnt_.phase && !decision.before_loop;
  };
  const auto last = std::find_if(decisions.rbegin(), decisions.rend(), of_phase);
  const auto& interrupted = learnt_.level.interrupted;
  if (last == decisions.rend() || (!sets_a_gear(*last) && !interrupted))
    return std::nullopt;
  Decision again = sets_a_gear(*last) ? *last : interrupted->decision;
  if (const auto& bound = request_.constraints.max_slowdown) {
    learnt_.budget.spend(elapsed_of(all), std::max(known_time_ratio(decisions.back()) - 1, 0.0),
                         own_time_of(all));
    if (known_time_ratio(again) - 1 > learnt_.budget.allowed(*bound))
      return std::nullopt;
  }
  learnt_.budget.expect(std::nullopt);
  learnt_.level.interrupted.reset();
  again.measured_time_ratio.reset();
  again.again = true;
  return again;
}

/// Whether nothing but a bound on slowdown has to be kept, and that leaves room for the present
/// gears.
bool Chooser::may_go_on() const {
  select::Constraints others = request_.constraints;
  const auto bound = std::exchange(others.max_slowdown, std::nullopt);
  if (!others.none() || learnt_.decisions.empty())
    return false;
  return !bound || !sets_a_gear(learnt_.decisions.back()) ||
         predicted_time_ratio(learnt_.decisions.back()) - 1 <= learnt_.budget.allowed(*bound);
}

/// Under a bound gears that were chosen for the loop stay until enough is known to choose again, as
/// long as the account has something left.
bool Chooser::may_stay(const std::vector<Measurement>& all) const {
  const LearntOfLevel& level = learnt_.level;
  return by_means_.keeps_account() && level.given_up.empty() && !level.kept && !level.first_gears &&
         is_of_last_loop(all) && sets_a_gear(learnt_.decisions.back()) &&
         learnt_.budget.allowed(*request_.constraints.max_slowdown) > 0 && too_little_to_judge(all);
}

/// As much more computation as calls, or as little.
bool Chooser::is_more_of(const Amount& amount, const Amount& then) {
  constexpr double alike = 1.3;
  const double calls = amount.calls / then.calls;
  const double work = amount.work / then.work;
  return then.work > Seconds{} && calls < work * alike && work < calls * alike;
}

/// Whether the loop, of which there are no events, does what the one did whose events the last
/// gears were chosen from, only more of it: its means say less than those events. Of many ranks
/// some were late by chance.
bool Chooser::repeats_known_loop(const std::vector<Measurement>& all) const {
  constexpr double most_unlike = 0.1; // of the ranks
  const LearntOfLevel& level = learnt_.level;
  if (by_events_.size() != all.size() || !all.front().of_one_loop || !level.given_up.empty() ||
      level.kept || learnt_.decisions.back().phase != learnt_.phase)
    return false;
  Amount now;
  Amount then;
  double unlike = 0;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const Amount of_rank{all[r].calls, all[r].computation_in_gear0};
    unlike += is_more_of(of_rank, by_events_[r]) ? 0 : 1;
    now = {now.calls + of_rank.calls, now.work + of_rank.work};
    then = {then.calls + by_events_[r].calls, then.work + by_events_[r].work};
  }
  return is_more_of(now, then) && unlike <= most_unlike * static_cast<double>(all.size());
}

/// Means of different loops say little of each other. Where events, which would, are of too short a
/// time, the gears stay until there are more.
bool Chooser::stays_as_it_is(const std::vector<Measurement>& all) const {
  const LearntOfLevel& level = learnt_.level;
  return level.given_up.empty() && !level.kept && !learnt_.decisions.empty() &&
         !learnt_.decisions.back().before_loop &&
         std::ranges::all_of(all, [](const Measurement& m) { return m.timeline.has_value(); });
}

} // namespace hypermile::runtime
