#include "select/box_search.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

constexpr std::size_t first_rounds = 200;
constexpr std::size_t later_rounds = 16;
/// Of the first box: paths at scales between gears, which only the bound profits by.
constexpr std::size_t first_explanations = 30;
constexpr double near_enough = 1e-4; ///< relative to the time: not worth a path
/// Tries of one climb that may be in vain before the proof goes on, which guides better.
constexpr std::size_t few_failures = 4;
/// Relative; scores nearer than this are equal (times have gone through many sums).
constexpr double closed = 1e-9;

/// What differences of the score are measured against: that of energy alone may be 0.
double magnitude(const Trials& trials) {
  const double time_only = trials.score()(trials.predictor().baseline().time, Joules{});
  return std::max(std::abs(trials.best().value), std::abs(time_only));
}

bool later(const Box& a, const Box& b) { return a.bound > b.bound; }

} // namespace

BoxSearch::BoxSearch(Trials& trials, Climb& climb)
    : trials_(trials), climb_(climb), lagrangian_(trials) {
  Box all = lagrangian_.all();
  lagrangian_.raise(all, first_rounds);
  push(std::move(all));
}

bool BoxSearch::can_be_better(const Box& box) const {
  const Worth& best = trials_.best();
  return box.bound < unreachable &&
         (best.misses_bounds || box.bound < best.value - closed * magnitude(trials_));
}

double BoxSearch::proven() const {
  const double least = open_.empty() ? unreachable : open_.front().bound;
  return trials_.best().misses_bounds ? least : std::min(least, trials_.best().value);
}

void BoxSearch::push(Box box) {
  open_.push_back(std::move(box));
  std::ranges::push_heap(open_, later);
}

void BoxSearch::explore(Box& box, std::size_t rounds, std::size_t explanations) {
  for (;;) {
    lagrangian_.raise(box, rounds);
    if (!can_be_better(box) || !lagrangian_.has_gears() || trials_.exhausted())
      return;
    if (learn_from_gears())
      continue;
    if (explanations-- == 0 || !trials_.explain(lagrangian_.mean_scales(), near_enough))
      return;
    approach(lagrangian_.mean_scales());
  }
}

/// Looks at gears between the best known and these scales, none slower than asked for.
void BoxSearch::approach(const std::vector<double>& scales) {
  const auto& predictor = trials_.predictor();
  const std::vector<model::Gear> best(trials_.best_gears().begin(), trials_.best_gears().end());
  std::vector<model::Gear> gears(best.size());
  for (const double part : {1.0, 0.5, 0.25}) {
    for (std::size_t n = 0; n < gears.size(); ++n) {
      const double from = predictor.scale(n, best[n]);
      const double wanted = from + part * (scales[n] - from);
      gears[n] = 0;
      for (model::Gear g = 0; g < predictor.gear_count(n); ++g)
        if (predictor.scale(n, g) <= wanted * (1 + 1e-12))
          gears[n] = g;
    }
    (void)trials_.evaluate(gears);
  }
}

/// Tries the gears that the bound belongs to. Returns whether that taught anything.
bool BoxSearch::learn_from_gears() {
  std::vector<model::Gear> gears = lagrangian_.gears();
  const Worth before = trials_.best();
  if (!(trials_.lower_bound(gears) < before))
    return false;
  const std::size_t paths = trials_.bounds().size();
  if (!(trials_.evaluate_with_cut(gears) < before))
    return trials_.bounds().size() > paths;
  climb_.run(gears, few_failures);
  return true;
}

void BoxSearch::split(Box box) {
  const auto& predictor = trials_.predictor();
  std::size_t node = box.fastest.size();
  double widest = -1;
  bool wavers = false;
  for (std::size_t n = 0; n < box.fastest.size(); ++n) {
    const bool n_wavers = lagrangian_.least()[n] < lagrangian_.most()[n];
    if (box.fastest[n] == box.slowest[n] || (wavers && !n_wavers))
      continue;
    const model::Gear from = n_wavers ? lagrangian_.least()[n] : box.fastest[n];
    const model::Gear to = n_wavers ? lagrangian_.most()[n] : box.slowest[n];
    const Seconds slope = box.slopes[n] + Seconds{1e-12};
    const double width = (slope * (predictor.scale(n, to) - predictor.scale(n, from))).value();
    if ((n_wavers && !wavers) || width > widest) {
      node = n;
      widest = width;
    }
    wavers |= n_wavers;
  }
  if (node == box.fastest.size())
    return; // a single vector, which was tried
  const model::Gear middle = wavers ? (lagrangian_.least()[node] + lagrangian_.most()[node]) / 2
                                    : std::min(lagrangian_.gears()[node], box.slowest[node] - 1);
  Box slower = box;
  slower.fastest[node] = middle + 1;
  box.slowest[node] = middle;
  push(std::move(slower));
  push(std::move(box));
}

void BoxSearch::run() {
  while (!open_.empty() && looked_at_ < trials_.limits().most_boxes && !trials_.exhausted()) {
    if (!can_be_better(open_.front())) {
      open_.clear(); // nor can the others
      return;
    }
    std::ranges::pop_heap(open_, later);
    Box box = std::move(open_.back());
    open_.pop_back();
    ++looked_at_;
    const bool first = looked_at_ == 1;
    explore(box, first ? first_rounds : later_rounds, first ? first_explanations : 0);
    if (!can_be_better(box))
      continue;
    if (trials_.exhausted())
      push(std::move(box));
    else
      split(std::move(box));
  }
}

} // namespace hypermile::select
