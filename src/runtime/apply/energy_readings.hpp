#pragma once

#include "runtime/exchange/run_report.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hypermile::runtime {

/// What a node's meter said in the course of a run: few readings, however long that is. When there
/// is no room for another one, every second is dropped, and they come half as often from then on.
class EnergyReadings {
public:
  /// `most`: of them, at least 2. The memory for all is taken here.
  EnergyReadings(Seconds interval, std::size_t most) : interval_(interval), most_(most) {
    readings_.reserve(most);
  }

  /// `now`: since MPI_Init.
  [[nodiscard]] bool due(Seconds now) const { return now - last_ >= interval_; }
  /// `time`: since MPI_Init; `cost`: what reading took, which is to be a small share of the time.
  void add(Seconds time, Joules energy, Seconds cost) {
    if (readings_.size() == most_)
      thin_out();
    readings_.push_back({time, energy});
    skip(time, cost);
  }
  /// The meter said nothing.
  void skip(Seconds time, Seconds cost) {
    last_ = time;
    interval_ = std::max(interval_, cost / share_of_time);
  }
  [[nodiscard]] const std::vector<EnergyReading>& all() const { return readings_; }

private:
  static constexpr double share_of_time = 0.0005;

  void thin_out() {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < readings_.size(); i += 2)
      readings_[kept++] = readings_[i];
    readings_.resize(kept);
    interval_ = interval_ * 2;
  }

  Seconds interval_;
  std::size_t most_;
  Seconds last_{};
  std::vector<EnergyReading> readings_{};
};

} // namespace hypermile::runtime
