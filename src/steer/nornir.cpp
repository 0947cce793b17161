#include "steer/nornir.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::steer {
namespace {

constexpr double error_threshold = 0.1;

/// 1/2, 1/4, 3/4, 1/8, 5/8, ...: each new one is far from those before.
double van_der_corput(std::size_t index) {
  double value = 0;
  for (double part = 0.5; index > 0; index /= 2, part /= 2)
    value += static_cast<double>(index % 2) * part;
  return value;
}

/// The paper leaves open in which order configurations are visited: the ends of the scale first,
/// then ever finer between them. Those that the models use: the lowest gear, and one core in the
/// highest.
std::vector<std::size_t> calibration_order(const Space& space) {
  const NodeShape& node = space.node;
  const model::Gear slowest = node.gears.size() - 1;
  std::vector<std::size_t> order;
  const auto add = [&](const Configuration& configuration) {
    const auto index = space.find(configuration);
    if (index && std::ranges::find(order, *index) == order.end())
      order.push_back(*index);
  };
  add({.cores = 1, .gear = slowest});
  add({.cores = 1, .gear = 0});
  for (std::size_t point = 0; point < 2 * node.cores(); ++point)
    for (const auto placement : {model::Placement::linear, model::Placement::interleaved}) {
      const double share = point == 0 ? 1 : van_der_corput(point);
      const auto cores =
          static_cast<std::size_t>(std::lround(share * static_cast<double>(node.cores())));
      add({.cores = std::max<std::size_t>(cores, 1), .gear = slowest, .placement = placement});
    }
  std::ranges::reverse(order);
  return order;
}

double relative_error(double predicted, double real) { return std::abs(predicted - real) / real; }

} // namespace

NornirSearch::NornirSearch(const Space& space, const Goal& goal, Pick pick)
    : Search(space, goal), pick_(pick), to_calibrate_(calibration_order(space)) {}

/// In doublings of cores and of frequency.
double NornirSearch::distance(std::size_t from, std::size_t to) const {
  const auto doublings = [](double a, double b) { return std::log2(a / b); };
  const Configuration& a = space_[from];
  const Configuration& b = space_[to];
  const double cores = doublings(static_cast<double>(a.cores), static_cast<double>(b.cores));
  const double gears = doublings(space_.node.gears.frequency(a.gear).value(),
                                 space_.node.gears.frequency(b.gear).value());
  return std::hypot(cores, gears) + (a.placement == b.placement ? 0 : 1);
}

Performance NornirSearch::predicted(std::size_t index) const {
  const Performance raw = model_->predict(space_[index]);
  if (pick_ == Pick::literal)
    return raw;
  const Visit& nearest = *std::ranges::min_element(
      visits_.all(), {}, [&](const Visit& visit) { return distance(index, visit.configuration); });
  const Performance there = model_->predict(space_[nearest.configuration]);
  return {raw.capacity * (nearest.mean.capacity / there.capacity),
          raw.power * (nearest.mean.power / there.power)};
}

std::size_t NornirSearch::best_predicted() const {
  std::optional<std::size_t> best;
  const auto rank = [&](std::size_t index) {
    const Performance performance = predicted(index);
    return std::pair(-std::max(excess(goal_, performance), 0.0), worth(goal_, performance));
  };
  for (std::size_t index = 0; index < space_.size(); ++index)
    if (!best || rank(index) > rank(*best))
      best = index;
  return *best;
}

void NornirSearch::observe(std::size_t configuration, const Measurement& measured) {
  if (model_ && !calibrated_) {
    const Performance before = model_->predict(space_[configuration]);
    calibrated_ =
        relative_error(before.capacity.value(), measured.capacity.value()) < error_threshold &&
        relative_error(before.power.value(), measured.power.value()) < error_threshold;
  }
  Search::observe(configuration, measured);
  if (!to_calibrate_.empty() && to_calibrate_.back() == configuration)
    to_calibrate_.pop_back();
  model_ = NornirModel::fit(space_, visits_);
}

void NornirSearch::correct(std::size_t configuration, const Measurement& measured) {
  Search::correct(configuration, measured);
  model_ = NornirModel::fit(space_, visits_);
}

std::optional<Performance> NornirSearch::expected(std::size_t configuration) const {
  return model_ ? predicted(configuration) : Search::expected(configuration);
}

Step NornirSearch::next() {
  if (!calibrated_ && !to_calibrate_.empty())
    return {Step::What::visit, to_calibrate_.back(), true, "calibration"};
  calibrated_ = true;
  if (!model_) { // a space without what the models need
    const auto best = best_visited(visits_, goal_);
    return {Step::What::settle, best.configuration, best.keeps_bounds, "the best of those visited"};
  }
  const std::size_t pick = best_predicted();
  const Visit* visit = visits_.find(pick);
  if (pick_ == Pick::verified && visit == nullptr)
    return {Step::What::visit, pick, true, "predicted to be the best"};
  return {Step::What::settle, pick, excess(goal_, predicted(pick)) <= 0,
          visit == nullptr ? "predicted to be the best" : "visited, and still the best"};
}

} // namespace hypermile::steer
