#include "steer/li_martinez.hpp"

#include "units/error.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace hypermile::steer {

LiMartinezSearch::LiMartinezSearch(const Space& space, const Goal& goal) : Search(space, goal) {
  std::set<std::size_t> counts;
  for (const Configuration& configuration : space.configurations)
    if (configuration.placement == model::Placement::linear)
      counts.insert(configuration.cores);
  core_counts_.assign(counts.begin(), counts.end());
}

void LiMartinezSearch::aim(const Goal& goal) {
  goal_ = goal;
  visits_.clear();
}

/// From the slowest gear to the fastest.
std::vector<std::size_t> LiMartinezSearch::configurations_of(std::size_t cores) const {
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < space_.size(); ++index)
    if (space_[index].cores == cores && space_[index].placement == model::Placement::linear)
      found.push_back(index);
  std::ranges::sort(found, std::ranges::greater{},
                    [&](std::size_t index) { return space_[index].gear; });
  return found;
}

std::size_t LiMartinezSearch::first_guess(const std::vector<std::size_t>& gears) const {
  if (visits_.empty())
    return gears.size() - 1;
  const Visit& known = visits_.all().front();
  const auto cores_and_hertz = [&](std::size_t index) {
    return static_cast<double>(space_[index].cores) *
           space_.node.gears.frequency(space_[index].gear).value();
  };
  const double per_core_and_hertz =
      known.mean.capacity.value() / cores_and_hertz(known.configuration);
  const auto fast_enough = std::ranges::find_if(gears, [&](std::size_t index) {
    return per_core_and_hertz * cores_and_hertz(index) >= goal_.least_throughput->value();
  });
  return fast_enough == gears.end() ? gears.size() - 1
                                    : static_cast<std::size_t>(fast_enough - gears.begin());
}

/// Up while the bound is missed, down while it is kept.
LiMartinezSearch::Gears LiMartinezSearch::gears_of(std::size_t cores) const {
  const auto gears = configurations_of(cores);
  Gears result;
  std::size_t place = first_guess(gears);
  std::optional<bool> went_up;
  while (true) {
    const Visit* visit = visits_.find(gears[place]);
    if (visit == nullptr) {
      result.to_visit = gears[place];
      return result;
    }
    const bool keeps = excess(goal_, {visit->mean.capacity, visit->mean.power}) <= 0;
    if (keeps)
      result.cheapest = *visit;
    const bool at_end = keeps ? place == 0 : place + 1 == gears.size();
    if (at_end || went_up == keeps) // turned round
      return result;
    went_up = !keeps;
    place = keeps ? place - 1 : place + 1;
  }
}

std::size_t LiMartinezSearch::nearest_core_count(double cores) const {
  return *std::ranges::min_element(core_counts_, {}, [&](std::size_t count) {
    return std::abs(static_cast<double>(count) - cores);
  });
}

/// Walks the whole way again each time, over what was measured, until something was not.
Step LiMartinezSearch::next() {
  std::size_t cores = core_counts_.back();
  Gears best = gears_of(cores);
  double step = -static_cast<double>(cores) / 2;
  std::set<std::size_t> seen{cores};
  while (!best.to_visit && std::abs(step) >= 1) {
    const std::size_t other = nearest_core_count(static_cast<double>(cores) + step);
    if (seen.contains(other)) {
      step /= 2;
      continue;
    }
    seen.insert(other);
    const Gears there = gears_of(other);
    if (there.to_visit)
      return {Step::What::visit, *there.to_visit, true, "a gear of other cores"};
    const bool cheaper = there.cheapest &&
                         (!best.cheapest || there.cheapest->mean.power < best.cheapest->mean.power);
    if (cheaper) {
      best = there;
      cores = other;
    }
    step = cheaper ? step / 2 : -step / 2;
  }
  if (best.to_visit)
    return {Step::What::visit, *best.to_visit, true, "a gear of all cores"};
  const Pick pick = best_visited(visits_, goal_);
  return {Step::What::settle, pick.configuration, pick.keeps_bounds,
          "neither more nor fewer cores draw less"};
}

} // namespace hypermile::steer
