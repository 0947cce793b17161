#include "calibrate/fit.hpp"

#include "units/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::calibrate {
namespace {

/// Power over 1/S^3, the largest first.
struct Point {
  double x;
  Watts power;
};

double abscissa(const model::GearTable& gears, model::Gear gear) {
  return std::pow(gears.scale(gear), -3);
}

Watts on_line(const Point& a, const Point& b, double x) {
  return a.power + (x - a.x) / (b.x - a.x) * (b.power - a.power);
}

/// `points`: at least two.
Watts interpolated(const std::vector<Point>& points, double x) {
  std::size_t right = 1;
  while (right + 1 < points.size() && points[right].x > x)
    ++right;
  return std::max(Watts{}, on_line(points[right - 1], points[right], x));
}

std::vector<Point> line_of(const model::GearTable& gears, const std::vector<MeasuredPower>& some,
                           Watts model::GearPower::*kind) {
  std::vector<Point> points;
  for (const auto& [gear, power] : some)
    points.push_back({abscissa(gears, gear), power.*kind});
  points.push_back({0, some.back().power.idle});
  return points;
}

Watts idle_of_nearest(const std::vector<MeasuredPower>& some, model::Gear gear) {
  const auto distance = [gear](const MeasuredPower& m) {
    return std::max(m.gear, gear) - std::min(m.gear, gear);
  };
  return std::ranges::min_element(some, {}, distance)->power.idle;
}

} // namespace

std::vector<model::GearPower> power_in_all_gears(const model::GearTable& gears,
                                                 const std::vector<MeasuredPower>& measured) {
  if (measured.empty())
    throw Error(ErrorKind::model, "no gear was measured");
  std::vector<MeasuredPower> some = measured;
  std::ranges::sort(some, {}, &MeasuredPower::gear);
  const auto computing = line_of(gears, some, &model::GearPower::computing);
  const auto waiting = line_of(gears, some, &model::GearPower::waiting);
  std::vector<model::GearPower> all;
  for (model::Gear gear = 0; gear < gears.size(); ++gear) {
    const auto known = std::ranges::find(some, gear, &MeasuredPower::gear);
    if (known != some.end()) {
      all.push_back(known->power);
      continue;
    }
    const double x = abscissa(gears, gear);
    all.push_back(
        {interpolated(computing, x), interpolated(waiting, x), idle_of_nearest(some, gear)});
  }
  return all;
}

} // namespace hypermile::calibrate
