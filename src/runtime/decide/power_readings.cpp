#include "runtime/decide/power_readings.hpp"

#include <algorithm>
#include <iterator>

namespace hypermile::runtime {
namespace {

/// Of a rank: what waits for what other ranks of its node have not told.
constexpr std::size_t most_waiting = 512;

/// What a rank had computed by then; none: that is not told.
std::optional<Seconds> computing_at(const std::vector<PowerPoint>& points, Seconds time) {
  const auto after = std::ranges::lower_bound(points, time, {}, &PowerPoint::time);
  if (after == points.end())
    return std::nullopt;
  if (after->time == time)
    return after->computing;
  if (after == points.begin())
    return std::nullopt;
  const PowerPoint& before = *std::prev(after);
  const double part = (time - before.time) / (after->time - before.time);
  return before.computing + (after->computing - before.computing) * part;
}

/// Of all ranks of a node, between two moments; none: not all have told it.
std::optional<Seconds> computing_between(const std::map<int, std::vector<PowerPoint>>& by_rank,
                                         Seconds begin, Seconds end) {
  Seconds sum;
  for (const auto& [rank, points] : by_rank) {
    const auto before = computing_at(points, begin);
    const auto after = computing_at(points, end);
    if (!before || !after)
      return std::nullopt;
    sum += *after - *before;
  }
  return sum;
}

/// The points from the last one before that moment on.
void forget_before(std::vector<PowerPoint>& points, Seconds time) {
  const auto after = std::ranges::upper_bound(points, time, {}, &PowerPoint::time);
  if (after - points.begin() > 1)
    points.erase(points.begin(), std::prev(after));
}

} // namespace

void PowerReadings::add(int rank, const std::vector<PowerPoint>& points) {
  if (dropped_)
    return;
  auto& waiting = points_[rank];
  for (const PowerPoint& point : points) {
    if (point.gear >= gears_ || (!waiting.empty() && point.time < waiting.back().time))
      continue;
    if (point.drawn)
      metered_ = rank;
    else if (metered_ == rank)
      return drop();
    waiting.push_back(point);
  }
  if (waiting.size() > most_waiting) {
    waiting.erase(waiting.begin(), waiting.end() - static_cast<std::ptrdiff_t>(most_waiting / 2));
    waiting.front().after_gap = true;
  }
}

void PowerReadings::drop() {
  dropped_ = true;
  points_.clear();
  sums_.clear();
}

void PowerReadings::sum_up() {
  if (dropped_ || !metered_)
    return;
  std::vector<PowerPoint>& readings = points_[*metered_];
  std::size_t done = 0;
  for (; done + 1 < readings.size(); ++done) {
    const PowerPoint& from = readings[done];
    const PowerPoint& to = readings[done + 1];
    const Seconds interval = to.time - from.time;
    if (to.after_gap || !(interval > Seconds{}) || !from.drawn || !to.drawn ||
        *to.drawn < *from.drawn)
      continue;
    const auto computing = computing_between(points_, from.time, to.time);
    if (!computing) {
      if (std::ranges::any_of(points_, [&](const auto& of_rank) {
            return of_rank.second.empty() || of_rank.second.back().time < to.time;
          }))
        break;  // they may tell yet
      continue; // they had not begun
    }
    sums_[from.gear].add(interval, *computing / static_cast<double>(cores_),
                         *to.drawn - *from.drawn);
  }
  const Seconds until = readings.empty() ? Seconds{} : readings[done].time;
  readings.erase(readings.begin(), readings.begin() + static_cast<std::ptrdiff_t>(done));
  for (auto& [rank, points] : points_)
    forget_before(points, until);
}

} // namespace hypermile::runtime
