#pragma once

#include "runtime/exchange/run_report.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hypermile::runtime {

/// What a rank had computed, and its node drawn, at moments that are not told to rank 0 yet: few,
/// however long that is. When there is no room for another one, every second is dropped but for
/// those at which the gear changed, and they come half as often until all are told.
class PowerHistory {
public:
  /// `most`: of them, at least 4. The memory for all is taken here.
  PowerHistory(Seconds interval, std::size_t most)
      : shortest_(interval), interval_(interval), most_(most) {
    points_.reserve(most);
  }

  [[nodiscard]] bool due(Seconds now) const { return now - last_ >= interval_; }
  /// `cost`: what it took, which is to be a small share of the time. Needs no memory.
  void add(const PowerPoint& point, Seconds cost = {}) {
    shortest_ = std::max(shortest_, cost / share_of_time);
    interval_ = std::max(interval_, shortest_);
    if (points_.size() == most_)
      thin_out();
    points_.push_back(point);
    last_ = point.time;
  }
  /// All that were not told. Throws where there is no memory for them; they are told later then.
  [[nodiscard]] std::vector<PowerPoint> take() {
    std::vector<PowerPoint> told = points_;
    points_.clear();
    interval_ = shortest_;
    return told;
  }
  [[nodiscard]] const std::vector<PowerPoint>& points() const { return points_; }

private:
  static constexpr double share_of_time = 0.0005;

  /// The first and the last stay: intervals are between points.
  void thin_out() {
    std::size_t kept = 1;
    bool dropped = false; // the last one that was looked at
    for (std::size_t i = 1; i < points_.size(); ++i) {
      const bool changes = points_[i].gear != points_[i - 1].gear || points_[i].after_gap;
      dropped = !changes && !dropped && i + 1 < points_.size();
      if (!dropped)
        points_[kept++] = points_[i];
    }
    if (kept == points_.size()) { // gears change all the time
      points_.erase(points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>(kept / 2));
      points_.front().after_gap = true;
    } else {
      points_.resize(kept);
    }
    interval_ = interval_ * 2;
  }

  Seconds shortest_;
  Seconds interval_;
  std::size_t most_;
  Seconds last_{};
  std::vector<PowerPoint> points_{};
};

} // namespace hypermile::runtime
