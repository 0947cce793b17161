#include "runtime/decide/recorded_iterations.hpp"

#include "runtime/decide/common_loop.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace hypermile::runtime {
namespace {

constexpr std::size_t enough_recorded = 4;

template <class Value> Value median(std::vector<Value> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double end(const RecordedIteration& iteration) { return iteration.begin + iteration.length; }

/// Leaves to each rank the same iterations, the latest that all have: those that end nearest to the
/// last one of the rank whose last one ends first. Returns their number.
std::size_t keep_common(std::vector<std::vector<RecordedIteration>>& of_ranks) {
  double last_end = std::numeric_limits<double>::infinity();
  for (const auto& of_rank : of_ranks) {
    if (of_rank.empty())
      return 0;
    last_end = std::min(last_end, end(of_rank.back()));
  }
  std::size_t count = of_ranks.front().size();
  for (auto& of_rank : of_ranks) {
    const auto distance = [last_end](const RecordedIteration& iteration) {
      return std::abs(end(iteration) - last_end);
    };
    of_rank.erase(std::next(std::ranges::min_element(of_rank, {}, distance)), of_rank.end());
    count = std::min(count, of_rank.size());
  }
  for (auto& of_rank : of_ranks)
    of_rank.erase(of_rank.begin(), of_rank.end() - static_cast<std::ptrdiff_t>(count));
  return count;
}

} // namespace

std::vector<RecordedIteration> recorded_iterations(const Measurement& m) {
  std::vector<RecordedIteration> iterations;
  if (!m.timeline)
    return iterations;
  std::uint64_t event = model::events_before(*m.timeline);
  auto next = m.iterations.begin();
  const std::uint64_t first =
      event + (m.timeline->earlier.empty() ? 0 : m.timeline->earlier.back().end);
  model::RankClock clock(*m.timeline);
  std::optional<RecordedIteration> now;
  std::size_t index = 0;
  Seconds over = m.timeline->begin;
  double paused = 0;
  for (const model::Event& e : m.timeline->events) {
    const model::RankClock::Moments moments = clock.next();
    paused += (moments.begin - over).value();
    over = moments.left;
    if (next != m.iterations.end() && event == *next) {
      if (now)
        iterations.push_back(*now);
      now = event >= first ? std::optional(RecordedIteration{.first_event = event,
                                                             .begin = moments.begin.value(),
                                                             .paused = std::exchange(paused, 0)})
                           : std::nullopt;
      ++next;
    }
    if (now) {
      now->length = moments.left.value() - now->begin;
      now->work += static_cast<double>(e.computation) / scale_before(*m.timeline, index);
    }
    ++index;
    ++event;
  }
  return iterations;
}

std::vector<double> recorded_lengths(const Measurement& m) {
  std::vector<double> lengths;
  for (const RecordedIteration& iteration : recorded_iterations(m))
    lengths.push_back(iteration.length);
  return lengths;
}

std::vector<RecordedIteration> recorded_iterations(const std::vector<Measurement>& measurements) {
  std::vector<std::vector<RecordedIteration>> of_ranks;
  for (const Measurement& m : measurements)
    of_ranks.push_back(recorded_iterations(m));
  const std::size_t count = keep_common(of_ranks);
  std::vector<RecordedIteration> common;
  for (std::size_t i = 0; i < count; ++i) {
    RecordedIteration all = of_ranks.front()[i];
    double last_end = end(all);
    for (const auto& of_rank : of_ranks) {
      all.begin = std::max(all.begin, of_rank[i].begin);
      last_end = std::max(last_end, end(of_rank[i]));
      all.work = std::max(all.work, of_rank[i].work);
      all.paused = std::max(all.paused, of_rank[i].paused);
    }
    all.length = last_end - all.begin;
    common.push_back(all);
  }
  return common;
}

Seconds mean_iteration(const std::vector<Measurement>& measurements) {
  constexpr double enough = 0.5;
  const auto recorded = recorded_iterations(measurements);
  const auto is_covered = [&](const Measurement& m) {
    return static_cast<double>(recorded.size()) >=
           enough * static_cast<double>(m.measured_iterations);
  };
  if (recorded.empty() || !std::ranges::all_of(measurements, is_covered))
    return longest_iteration(measurements);
  double time = end(recorded.back()) - recorded.front().begin;
  for (std::size_t i = 1; i < recorded.size(); ++i) // the account has what hypermile itself takes
    time -= recorded[i].paused;
  return Seconds{time / static_cast<double>(recorded.size())};
}

std::optional<UsualIteration> usual_iteration(const std::vector<Measurement>& measurements) {
  UsualIteration usual{};
  for (const Measurement& m : measurements) {
    const std::vector<double> lengths = recorded_lengths(m);
    if (lengths.size() < enough_recorded || m.computations.size() < enough_recorded)
      return std::nullopt;
    usual.time = std::max(usual.time, Seconds{median(lengths)});
    usual.computation = std::max(usual.computation, median(m.computations));
  }
  return usual;
}

} // namespace hypermile::runtime
