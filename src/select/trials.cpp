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

Trials::Trials(const model::dependency::Predictor& predictor, const Score& score,
               const SearchLimits& limits)
    : predictor_(predictor), score_(score), limits_(limits), violation_(score.violation()),
      monotone_(score.monotone()), monotone_violation_(score.monotone().violation()),
      bounds_(predictor.node_count()) {}

bool Trials::tried(std::span<const model::Gear> gears) const {
  return tried_.contains(std::vector(gears.begin(), gears.end()));
}

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

Worth Trials::promise(Seconds time, Joules energy, Watts peak) const {
  return worth(monotone_, monotone_violation_, time, energy, peak);
}

Worth Trials::promise(std::span<const model::Gear> gears) {
  node_scales(gears);
  const Seconds time = bounds_.at(scales_);
  return promise(time, predictor_.energy(gears, time), peak(gears));
}

Worth Trials::glance(std::span<const model::Gear> gears) {
  const auto [entry, is_new] = tried_.try_emplace(std::vector(gears.begin(), gears.end()), Worth{});
  if (!is_new)
    return entry->second;
  ++evaluations_;
  const model::Prediction prediction = predictor_.predict(gears, workspace_);
  entry->second = worth(score_, violation_, prediction.time, prediction.energy, peak(gears));
  if (entry->second < best_ || best_gears_.empty()) {
    best_ = entry->second;
    best_gears_.assign(gears.begin(), gears.end());
    best_prediction_ = prediction;
  }
  last_time_ = prediction.time;
  return entry->second;
}

Worth Trials::attempt(std::span<const model::Gear> gears) {
  if (const auto known = tried_.find(std::vector(gears.begin(), gears.end()));
      known != tried_.end())
    return known->second;
  const Worth worth = glance(gears);
  node_scales(gears);
  if (bounds_.at(scales_) < last_time_ * (1 - near_enough))
    add_critical_path(scales_, last_time_);
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
  const auto path = predictor_.dependencies().critical_path(rank_scales_);
  std::vector<Seconds> slopes(scales_of_nodes.size());
  for (std::size_t n = 0; n < slopes.size(); ++n) {
    for (const std::uint32_t rank : predictor_.ranks(n))
      slopes[n] += path.computing[rank];
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
