#include "runtime/peak_shares.hpp"

#include "select/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>

namespace hypermile::runtime {
namespace {

/// What a node draws at the most when it may have this gear and all slower ones, one of which may
/// draw more where powers were measured.
std::vector<Watts> draws_of(const model::NodeType& type) {
  std::vector<Watts> draws(type.gears.size());
  Watts most;
  for (std::size_t g = draws.size(); g > 0; --g)
    draws[g - 1] = most = std::max(most, type.power[g - 1].computing);
  return draws;
}

class Division {
public:
  Division(std::span<const model::NodeType> nodes, Watts cap)
      : nodes_(nodes), cap_(cap * (1 + select::bound_tolerance)) {
    for (const model::NodeType& type : nodes)
      draws_.push_back(draws_of(type));
  }

  PeakShares run() {
    PeakShares shares{.fastest = slowest()};
    if (power_of(shares.fastest) > cap_) {
      shares.kept = false;
    } else {
      shares.fastest = alike();
      raise(shares.fastest);
    }
    shares.power = power_of(shares.fastest);
    return shares;
  }

private:
  /// Of the same work.
  [[nodiscard]] double time(std::size_t node, model::Gear gear) const {
    return nodes_[node].gears.scale(gear) / nodes_[node].speed.value();
  }
  [[nodiscard]] Watts power_of(const std::vector<model::Gear>& gears) const {
    Watts sum;
    for (std::size_t n = 0; n < gears.size(); ++n)
      sum += draws_[n][gears[n]];
    return sum;
  }
  [[nodiscard]] std::vector<model::Gear> slowest() const {
    std::vector<model::Gear> gears;
    for (const model::NodeType& type : nodes_)
      gears.push_back(type.gears.size() - 1);
    return gears;
  }
  /// The slowest gears in which no node takes longer than this; gear 0 where all do.
  [[nodiscard]] std::vector<model::Gear> within(double latest) const {
    std::vector<model::Gear> gears(nodes_.size(), 0);
    for (std::size_t n = 0; n < gears.size(); ++n)
      while (gears[n] + 1 < nodes_[n].gears.size() && time(n, gears[n] + 1) <= latest)
        ++gears[n];
    return gears;
  }
  /// The fastest in which nodes of different speed end at the same time, as far as they can.
  [[nodiscard]] std::vector<model::Gear> alike() const {
    std::set<double> times;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      for (model::Gear g = 0; g < nodes_[n].gears.size(); ++g)
        times.insert(time(n, g));
    const std::vector<double> sorted(times.begin(), times.end());
    const auto fits = [&](double latest) { return power_of(within(latest)) <= cap_; };
    // With a later end each node's draw is the same or less.
    const auto first = std::ranges::partition_point(sorted, [&](double t) { return !fits(t); });
    return first == sorted.end() ? slowest() : within(*first);
  }
  /// By a gear at a time, the slowest node first.
  void raise(std::vector<model::Gear>& gears) const {
    std::vector<bool> done(gears.size(), false);
    Watts power = power_of(gears);
    for (;;) {
      std::size_t node = gears.size();
      for (std::size_t n = 0; n < gears.size(); ++n)
        if (!done[n] && (node == gears.size() || time(n, gears[n]) > time(node, gears[node])))
          node = n;
      if (node == gears.size())
        return;
      const Watts more =
          gears[node] == 0 ? Watts{} : draws_[node][gears[node] - 1] - draws_[node][gears[node]];
      if (gears[node] == 0 || power + more > cap_) {
        done[node] = true;
        continue;
      }
      --gears[node];
      power += more;
    }
  }

  std::span<const model::NodeType> nodes_;
  Watts cap_;
  std::vector<std::vector<Watts>> draws_;
};

} // namespace

PeakShares peak_shares(std::span<const model::NodeType> nodes, Watts cap) {
  return Division(nodes, cap).run();
}

model::NodeType limited_to(const model::NodeType& type, model::Gear fastest) {
  std::vector<Hertz> frequencies;
  for (model::Gear g = fastest; g < type.gears.size(); ++g)
    frequencies.push_back(type.gears.frequency(g));
  model::NodeType limited = type;
  limited.speed = type.speed / type.gears.scale(fastest);
  limited.gears = model::GearTable(std::move(frequencies));
  const auto left = [&](auto& by_gear) {
    by_gear.erase(by_gear.begin(),
                  by_gear.begin() + static_cast<std::ptrdiff_t>(std::min(fastest, by_gear.size())));
  };
  left(limited.power);
  left(limited.power_limits);
  left(limited.uncore);
  return limited;
}

model::NodeType only_gear0(const model::NodeType& type) {
  model::NodeType one = type;
  one.gears = model::GearTable({type.gears.frequency(0)});
  one.power.resize(1, type.power.front());
  one.power_limits.resize(std::min<std::size_t>(one.power_limits.size(), 1));
  one.uncore.resize(std::min<std::size_t>(one.uncore.size(), 1));
  return one;
}

Watts least_power(std::span<const model::NodeType> nodes) {
  Watts sum;
  for (const model::NodeType& type : nodes)
    sum += std::ranges::min(type.power, {}, &model::GearPower::waiting).waiting;
  return sum;
}

std::vector<std::string> unkept_caps(std::span<const model::NodeType> nodes,
                                     const io::PowerCaps& caps) {
  std::vector<std::string> problems;
  const char* const plural = nodes.size() == 1 ? "" : "s";
  if (const Watts least = least_power(nodes); caps.average && least > *caps.average)
    problems.push_back(fmt::format(
        "no gears keep the cap of {:.4g} W on the average power: the {} node{} draw {:.4g} W even "
        "while they only wait",
        caps.average->value(), nodes.size(), plural, least.value()));
  if (!caps.peak)
    return problems;
  if (const PeakShares shares = peak_shares(nodes, *caps.peak); !shares.kept)
    problems.push_back(fmt::format(
        "no gears keep the cap of {:.4g} W on the peak power: the {} node{} draw {:.4g} W in their "
        "slowest gears while all compute, and stay in these",
        caps.peak->value(), nodes.size(), plural, shares.power.value()));
  return problems;
}

} // namespace hypermile::runtime
