#include "select/trials.hpp"

#include <algorithm>

namespace hypermile::select {
namespace {

/// A bound that is this near to the time of a try explains it.
constexpr double near_enough = 1e-10;

Worth worth(const Score& score, const Score& violation, Seconds time, Joules energy, Watts peak) {
  const double value = score.feasible_score(time, energy, peak);
  if (value < unreachable)
    return {false, value};
  return {true, violation.feasible_score(time, energy, peak)};
}

} // namespace

void PathBounds::add(Seconds constant, std::span<const Seconds> slopes) {
  constants_.push_back(constant);
  slopes_.insert(slopes_.end(), slopes.begin(), slopes.end());
}

Seconds PathBounds::at(std::size_t path, std::span<const double> scales) const {
  Seconds time = constants_[path];
  const auto slope = slopes(path);
  for (std::size_t n = 0; n < nodes_; ++n)
    time += slope[n] * scales[n];
  return time;
}

Seconds PathBounds::at(std::span<const double> scales) const {
  Seconds latest;
  for (std::size_t path = 0; path < size(); ++path)
    latest = std::max(latest, at(path, scales));
  return latest;
}

Trials::Trials(const model::dependency::Predictor& predictor, const Score& score,
               const SearchLimits& limits)
    : predictor_(predictor), limits_(limits), score_(score), violation_(score.violation()),
      monotone_(score.monotone()), monotone_violation_(score.monotone().violation()),
      bounds_(predictor.node_count()) {}

Watts Trials::peak(std::span<const model::Gear> gears) const {
  Watts sum;
  for (std::size_t n = 0; n < gears.size(); ++n)
    sum += predictor_.peak(n, gears[n]);
  return sum;
}

void Trials::node_scales(std::span<const model::Gear> gears) {
  scales_.resize(gears.size());
  for (std::size_t n = 0; n < gears.size(); ++n)
    scales_[n] = predictor_.scale(n, gears[n]);
}

Worth Trials::lower_bound(Seconds time, Joules energy, Watts peak) const {
  return worth(monotone_, monotone_violation_, time, energy, peak);
}

Worth Trials::lower_bound(std::span<const model::Gear> gears) {
  node_scales(gears);
  note_comparing(gears.size());
  const Seconds time = bounds_.at(scales_);
  return lower_bound(time, predictor_.energy(gears, time), peak(gears));
}

void Trials::judge(const std::vector<model::Gear>& gears, Try& result) {
  const model::Prediction& prediction = result.prediction;
  result.worth = worth(score_, violation_, prediction.time, prediction.energy, peak(gears));
  if (result.worth < best_ || best_gears_.empty()) {
    best_ = result.worth;
    best_gears_ = gears;
    best_prediction_ = prediction;
  }
}

void Trials::judge_by(const Score& score) {
  score_ = score;
  violation_ = score.violation();
  monotone_ = score.monotone();
  monotone_violation_ = monotone_.violation();
  best_gears_.clear();
  for (auto& [gears, result] : tried_)
    judge(gears, result);
}

std::vector<std::vector<model::Gear>> Trials::best(std::size_t most) const {
  std::vector<const decltype(tried_)::value_type*> order;
  for (const auto& entry : tried_)
    order.push_back(&entry);
  most = std::min(most, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(most), {},
                            [](const auto* entry) { return entry->second.worth; });
  std::vector<std::vector<model::Gear>> gears;
  for (std::size_t i = 0; i < most; ++i)
    gears.push_back(order[i]->first);
  return gears;
}

Worth Trials::evaluate(std::span<const model::Gear> gears) {
  const auto [entry, is_new] = tried_.try_emplace(std::vector(gears.begin(), gears.end()));
  if (is_new) {
    ++evaluations_;
    entry->second.prediction = predictor_.predict(gears, workspace_);
    judge(entry->first, entry->second);
  }
  return entry->second.worth;
}

Worth Trials::evaluate_with_cut(std::span<const model::Gear> gears) {
  const Worth worth = evaluate(gears);
  const Seconds time = tried_.find(std::vector(gears.begin(), gears.end()))->second.prediction.time;
  node_scales(gears);
  if (bounds_.at(scales_) < time * (1 - near_enough))
    add_critical_path(scales_, time);
  return worth;
}

void Trials::spread(std::span<const double> scales_of_nodes) {
  rank_scales_.resize(predictor_.dependencies().ranks());
  for (std::size_t n = 0; n < scales_of_nodes.size(); ++n)
    for (const std::uint32_t rank : predictor_.ranks(n))
      rank_scales_[rank] = scales_of_nodes[n];
}

void Trials::add_critical_path(std::span<const double> scales_of_nodes, Seconds time) {
  ++evaluations_;
  spread(scales_of_nodes);
  const auto computing = predictor_.dependencies().critical_computing(rank_scales_);
  std::vector<Seconds> slopes(scales_of_nodes.size());
  for (std::size_t n = 0; n < slopes.size(); ++n) {
    for (const std::uint32_t rank : predictor_.ranks(n))
      slopes[n] += computing[rank];
    time -= slopes[n] * scales_of_nodes[n];
  }
  bounds_.add(time, slopes);
}

Seconds Trials::time(std::span<const double> scales_of_nodes) {
  ++evaluations_;
  spread(scales_of_nodes);
  return predictor_.dependencies().time(rank_scales_, pass_);
}

bool Trials::explain(std::span<const double> scales_of_nodes, double tolerance) {
  const Seconds time = this->time(scales_of_nodes);
  if (bounds_.at(scales_of_nodes) >= time * (1 - tolerance))
    return false;
  add_critical_path(scales_of_nodes, time);
  return true;
}

} // namespace hypermile::select
