#include "estimate/unlike_meters.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace hypermile::estimate {
namespace {

constexpr double most_ratio = 1.75;
/// What two nodes have in common of a gear, and of all gears, to be compared by it.
constexpr double least_in_gear = 0.5; // seconds
constexpr double least_in_all = 2;
/// Each node is compared with so many others: of a thousand nodes not with all.
constexpr std::size_t most_partners = 50;

/// What a node drew in one gear, by the share of the time for which it computed.
struct Line {
  double seconds;
  double share; ///< mean
  double reach; ///< standard deviation of the share: the line is known that far from the mean
  double power; ///< at the mean
  double slope;

  [[nodiscard]] double at(double x) const { return power + slope * (x - share); }
};

Line line_of(const GearSums& s) {
  Line line{.seconds = s.cc + 2 * s.cw + s.ww, .share = 0, .reach = 0, .power = 0, .slope = 0};
  if (!(line.seconds > 0))
    return line;
  line.share = (s.cc + s.cw) / line.seconds;
  line.power = (s.cp + s.wp) / line.seconds;
  const double variance = std::max(s.cc / line.seconds - line.share * line.share, 0.0);
  constexpr double constant = 1e-6; // but for rounding
  if (variance <= constant)
    return line;
  line.reach = std::sqrt(variance);
  const double steepest = line.share > 0 ? line.power / line.share : 0;
  line.slope =
      std::clamp((s.cp / line.seconds - line.share * line.power) / variance, 0.0, steepest);
  return line;
}

/// Of the logarithm of what one meter says of what another one says.
struct Range {
  double low = 0;
  double high = 0;

  /// As near to 0 as it may be.
  [[nodiscard]] double distance() const { return low > 0 ? low : high < 0 ? -high : 0; }
  [[nodiscard]] double likely_distance() const { return std::abs(low + high) / 2; }
};

/// Where both lines are known, or else where they are known nearest to each other.
std::pair<double, double> shares_to_compare(const Line& a, const Line& b) {
  const double low = std::max(a.share - a.reach, b.share - b.reach);
  const double high = std::min(a.share + a.reach, b.share + b.reach);
  if (low <= high)
    return {(low + high) / 2, (low + high) / 2};
  return a.share < b.share ? std::pair{a.share + a.reach, b.share - b.reach}
                           : std::pair{a.share - a.reach, b.share + b.reach};
}

Range compare(const Line& a, const Line& b) {
  constexpr double least_share = 1e-3;
  constexpr double least_power = 1e-9;
  const auto [x, y] = shares_to_compare(a, b);
  const double said = std::log(std::max(a.at(x), least_power) / std::max(b.at(y), least_power));
  const double by_share = std::log(std::max(x, least_share) / std::max(y, least_share));
  return {said - std::max(by_share, 0.0), said - std::min(by_share, 0.0)};
}

/// In the gears that both were in, by the time that they had in common.
Range compare(const std::map<std::size_t, Line>& a, const std::map<std::size_t, Line>& b) {
  Range sum;
  double seconds = 0;
  for (const auto& [gear, of_a] : a) {
    const auto of_b = b.find(gear);
    if (of_b == b.end())
      continue;
    const double common = std::min(of_a.seconds, of_b->second.seconds);
    if (common < least_in_gear)
      continue;
    const Range range = compare(of_a, of_b->second);
    sum.low += common * range.low;
    sum.high += common * range.high;
    seconds += common;
  }
  return seconds < least_in_all ? Range{} : Range{sum.low / seconds, sum.high / seconds};
}

struct Comparison {
  std::size_t with;
  bool disagrees;
  double likely_distance;
};

using Comparisons = std::vector<std::vector<Comparison>>; // by node

Comparisons comparisons_of(std::span<const NodeSums> nodes) {
  std::vector<std::map<std::size_t, Line>> lines(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const auto& [gear, sums] : nodes[n])
      lines[n].emplace(gear, line_of(sums));
  Comparisons all(nodes.size());
  const std::size_t reach = std::min(most_partners / 2, nodes.size() / 2);
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (std::size_t k = 1; k <= reach; ++k) {
      const std::size_t other = (n + k) % nodes.size();
      if (2 * k == nodes.size() && other < n) // that pair was compared from the other side
        continue;
      const Range range = compare(lines[n], lines[other]);
      const bool disagree = range.distance() >= std::log(most_ratio);
      all[n].push_back({other, disagree, range.likely_distance()});
      all[other].push_back({n, disagree, range.likely_distance()});
    }
  return all;
}

} // namespace

UnlikeMeters unlike_meters(std::span<const NodeSums> nodes) {
  const Comparisons all = comparisons_of(nodes);
  UnlikeMeters unlike{.wrong = std::vector<bool>(nodes.size(), false)};
  for (std::size_t left = nodes.size(); left > 1; --left) {
    std::size_t worst = 0;
    // With how many it disagrees; of as many, how far it seems to be from all others.
    std::pair<std::size_t, double> most{0, 0};
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      std::pair<std::size_t, double> here{0, 0};
      for (const auto& [with, disagrees, likely_distance] : all[n])
        if (!unlike.wrong[n] && !unlike.wrong[with])
          here = {here.first + (disagrees ? 1 : 0), here.second + likely_distance};
      if (here.first > 0 && here > most) {
        most = here;
        worst = n;
      }
    }
    if (most.first == 0)
      return unlike;
    unlike.wrong[worst] = true;
    if (2 * (left - 1) <= nodes.size())
      return {.wrong = std::vector<bool>(nodes.size(), true), .undecided = true};
  }
  return unlike;
}

} // namespace hypermile::estimate
