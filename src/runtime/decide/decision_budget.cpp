#include "runtime/decide/decision_budget.hpp"

#include <algorithm>

namespace hypermile::runtime {
namespace {

constexpr double share = 0.01;
constexpr Seconds besides{0.010};
constexpr Seconds least_budget{0.001};
/// Of the time for a choice; the rest is for the search.
constexpr double most_building = 0.7;
/// A search takes about as long as building the model, and finds little if it is cut off.
constexpr double good_building = 0.4;
/// What building takes however few events there are, as events. Else a model of ten, built by code
/// that has never run before, would make events seem too dear to be used ever again.
constexpr double in_any_case = 500;

} // namespace

DecisionBudget DecisionBudget::all_of(std::function<Seconds()> stopwatch, Seconds time) {
  constexpr Seconds long_after{1e9}; // the begin of the run: only `time` is a limit
  DecisionBudget budget(std::move(stopwatch), time);
  budget.begin(long_after);
  return budget;
}

void DecisionBudget::begin(Seconds elapsed) {
  if (!limited())
    return;
  begin_ = building_ = stopwatch_();
  const Seconds saved = elapsed * share + besides - spent_;
  end_ = begin_ + std::min(most_, std::max(least_budget, saved / 2));
}

void DecisionBudget::build() {
  if (limited())
    building_ = stopwatch_();
}

std::size_t DecisionBudget::most_events() const { return events_in(most_building); }

std::size_t DecisionBudget::good_events() const { return events_in(good_building); }

std::size_t DecisionBudget::events_in(double part) const {
  return static_cast<std::size_t>(std::max(end_ - building_, Seconds{}) * part / per_event_);
}

void DecisionBudget::built(std::size_t events) {
  if (!limited())
    return;
  // Half of what is new: one choice may have been held up by something else.
  if (const Seconds taken = stopwatch_() - building_; taken > Seconds{})
    per_event_ = (per_event_ + taken / (static_cast<double>(events) + in_any_case)) / 2;
}

Seconds DecisionBudget::left() const {
  return limited() ? std::max(end_ - stopwatch_(), Seconds{}) : most_;
}

void DecisionBudget::end() {
  if (limited())
    spent_ += stopwatch_() - begin_;
}

} // namespace hypermile::runtime
