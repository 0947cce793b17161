#include "study/time_left.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hypermile::study {
namespace {

/// What a cell shares with others, the most telling first. No name has a line's end.
std::array<std::string, 3> kinds_of(const Cell& cell) {
  return {fmt::format("{}\n{}", cell.program, cell.class_name), cell.program, ""};
}

} // namespace

void Durations::finished(const Cell& cell, Seconds took) {
  for (const std::string& kind : kinds_of(cell)) {
    Total& total = totals_[kind];
    total.time += took;
    total.cells += 1;
  }
}

std::optional<Seconds> Durations::expected(const Cell& cell) const {
  for (const std::string& kind : kinds_of(cell))
    if (const auto total = totals_.find(kind); total != totals_.end())
      return total->second.time / total->second.cells;
  return std::nullopt;
}

std::optional<Seconds> time_left(const Durations& durations, std::span<const Cell* const> waiting,
                                 std::span<const Running> running, std::size_t jobs) {
  Seconds work;
  Seconds longest; // of the cells under way: with nothing else left, they end the sweep
  for (const auto& [cell, since] : running) {
    const auto expected = durations.expected(*cell);
    if (!expected)
      return std::nullopt;
    const Seconds rest = std::max(*expected - since, Seconds{});
    work += rest;
    longest = std::max(longest, rest);
  }
  for (const Cell* cell : waiting) {
    const auto expected = durations.expected(*cell);
    if (!expected)
      return std::nullopt;
    work += *expected;
    longest = std::max(longest, *expected);
  }
  return std::max(work / static_cast<double>(jobs), longest);
}

std::string in_words(Seconds time) {
  const auto seconds = static_cast<long>(std::ceil(time.value()));
  if (seconds < 120)
    return fmt::format("{} s", seconds);
  const long minutes = (seconds + 59) / 60;
  if (minutes < 120)
    return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

} // namespace hypermile::study
