#pragma once

#include "accounting/job_line.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace hypermile::accounting {

/// What jobs took and what gears saved of it.
struct Total {
  std::size_t jobs = 0;      ///< on real nodes; nothing else of emulated ones counts
  std::size_t emulated = 0;  ///< jobs on emulated nodes
  std::size_t gears_set = 0; ///< of them, some node was in another gear than 0
  Seconds time{};            ///< of all jobs
  Seconds gear0_time{};      ///< the same in gear 0, where that is known, else as it was

  /// Of the jobs whose energy is known, in the gears that they had and in gear 0.
  struct Energy {
    std::size_t jobs = 0;
    Joules used{};
    Joules gear0{}; ///< estimated
    [[nodiscard]] Joules saved() const { return gear0 - used; }
  };
  Energy measured{};  ///< by meters
  Energy estimated{}; ///< from power tables

  std::size_t could_save = 0; ///< jobs without gears for which a saving was predicted
  double possible_saving = 0; ///< their mean, of an iteration: 0.1 is 10 %

  void add(const JobLine& job);
  [[nodiscard]] Energy energy() const; ///< measured and estimated together
  /// 0.1: 10 % of the energy in gear 0; none: no energy is known.
  [[nodiscard]] std::optional<double> saving() const;
  [[nodiscard]] double slowdown() const; ///< 0.02: 2 % more time than in gear 0
};

struct Totals {
  Total all{};
  std::map<std::string, Total> by_user{};
};

Totals totals_of(std::span<const JobLine> jobs);

} // namespace hypermile::accounting
