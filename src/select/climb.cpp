#include "select/climb.hpp"

#include <algorithm>
#include <array>

namespace hypermile::select {

void Climb::run(std::vector<model::Gear>& gears, std::size_t most_failures) {
  Worth now = trials_.evaluate_with_cut(gears);
  while (!trials_.exhausted()) {
    find_moves(gears, now);
    if (!move(gears, now, most_failures))
      return;
    now = trials_.evaluate_with_cut(gears);
  }
}

bool Climb::move(std::vector<model::Gear>& gears, const Worth& now, std::size_t most_failures) {
  std::size_t failures = 0;
  const std::vector<model::Gear> from = gears;
  for (const Move& m : moves_) {
    if (failures >= most_failures || trials_.exhausted())
      break;
    for (const Change& change : m.changes)
      gears[change.node] = change.gear;
    // Tries that failed may have shown that this one will.
    if (trials_.lower_bound(gears) < now) {
      if (trials_.evaluate_with_cut(gears) < now)
        return true;
      ++failures;
    }
    gears = from;
  }
  return false;
}

void Climb::start(std::span<const model::Gear> gears) {
  const auto& predictor = trials_.predictor();
  std::vector<double> scales;
  computing_ = {};
  waiting_ = {};
  for (std::size_t n = 0; n < gears.size(); ++n) {
    scales.push_back(predictor.scale(n, gears[n]));
    computing_ += predictor.computing(n, gears[n]);
    waiting_ += predictor.waiting(n, gears[n]);
  }
  peak_ = trials_.peak(gears);
  paths_.clear();
  trials_.note_comparing(gears.size());
  for (std::size_t path = 0; path < trials_.bounds().size(); ++path)
    paths_.push_back(trials_.bounds().at(path, scales));
}

void Climb::consider(std::span<const model::Gear> gears, std::span<const Change> changes,
                     const Worth& now) {
  const auto& predictor = trials_.predictor();
  const PathBounds& bounds = trials_.bounds();
  Seconds time;
  trials_.note_comparing(changes.size());
  for (std::size_t path = 0; path < paths_.size(); ++path) {
    Seconds at = paths_[path];
    for (const auto& [node, gear] : changes)
      at += bounds.slopes(path)[node] *
            (predictor.scale(node, gear) - predictor.scale(node, gears[node]));
    time = std::max(time, at);
  }
  Joules computing = computing_;
  Watts waiting = waiting_;
  Watts peak = peak_;
  for (const auto& [node, gear] : changes) {
    computing += predictor.computing(node, gear) - predictor.computing(node, gears[node]);
    waiting += predictor.waiting(node, gear) - predictor.waiting(node, gears[node]);
    peak += predictor.peak(node, gear) - predictor.peak(node, gears[node]);
  }
  const Worth bound = trials_.lower_bound(time, computing + waiting * time, peak);
  if (bound < now)
    moves_.push_back({bound, {changes.begin(), changes.end()}});
}

void Climb::find_moves(std::span<const model::Gear> gears, const Worth& now) {
  const auto& predictor = trials_.predictor();
  start(gears);
  moves_.clear();
  std::vector<Change> steps; // one gear up or down, of one node
  for (std::size_t n = 0; n < gears.size(); ++n)
    for (model::Gear gear = 0; gear < predictor.gear_count(n); ++gear) {
      if (gear == gears[n])
        continue;
      const Change change{n, gear};
      consider(gears, {&change, 1}, now);
      if (gear + 1 == gears[n] || gear == gears[n] + 1)
        steps.push_back(change);
    }
  std::vector<std::vector<Change>> together; // by type and direction
  for (std::size_t i = 0; i < steps.size() && !trials_.exhausted(); ++i) {
    for (std::size_t j = i + 1; j < steps.size(); ++j)
      if (steps[i].node != steps[j].node)
        consider(gears, std::array{steps[i], steps[j]}, now);
    const std::size_t group =
        2 * predictor.type(steps[i].node) + (steps[i].gear > gears[steps[i].node] ? 1 : 0);
    together.resize(std::max(together.size(), group + 1));
    together[group].push_back(steps[i]);
  }
  for (const auto& changes : together)
    if (changes.size() > 2)
      consider(gears, changes, now);
  std::ranges::sort(moves_, {}, &Move::lower_bound);
}

} // namespace hypermile::select
