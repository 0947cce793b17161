#pragma once

#include "study/study.hpp"

#include "units/quantity.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>

namespace hypermile::study {

/// How long cells take on this machine, learnt from those that are finished: as long as the mean
/// of the same program and class, else of the same program, else of all.
class Durations {
public:
  void finished(const Cell& cell, Seconds took);
  /// None: no cell is finished.
  [[nodiscard]] std::optional<Seconds> expected(const Cell& cell) const;

private:
  struct Total {
    Seconds time;
    double cells = 0;
  };
  std::map<std::string, Total> totals_; ///< by what the cells share
};

/// A cell that is being simulated.
struct Running {
  const Cell* cell;
  Seconds since; ///< it began so long ago
};

/// How long it takes until all cells are finished, `jobs` of them at a time. None: nobody knows.
[[nodiscard]] std::optional<Seconds> time_left(const Durations& durations,
                                               std::span<const Cell* const> waiting,
                                               std::span<const Running> running, std::size_t jobs);

/// "40 s", "12 min", "3 h 5 min".
[[nodiscard]] std::string in_words(Seconds time);

} // namespace hypermile::study
