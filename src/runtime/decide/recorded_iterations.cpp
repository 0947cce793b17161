#include "runtime/decide/recorded_iterations.hpp"

#include <algorithm>
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

} // namespace

std::vector<RecordedIteration> recorded_iterations(const Measurement& m) {
  std::vector<RecordedIteration> iterations;
  if (!m.timeline)
    return iterations;
  std::uint64_t event = model::events_before(*m.timeline);
  auto next = m.iterations.begin();
  const std::uint64_t first =
      event + (m.timeline->earlier.empty() ? 0 : m.timeline->earlier.back().end);
  std::optional<RecordedIteration> now;
  for (const model::Event& e : m.timeline->events) {
    if (next != m.iterations.end() && event == *next) {
      if (now)
        iterations.push_back(*now);
      now = event >= first ? std::optional(RecordedIteration{.first_event = event}) : std::nullopt;
      ++next;
    }
    if (now) {
      now->length += static_cast<double>(e.computation) + static_cast<double>(e.duration);
      now->work += static_cast<double>(e.computation) / m.timeline->scale;
    }
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
  std::vector<RecordedIteration> common;
  for (const Measurement& m : measurements) {
    std::vector<RecordedIteration> of_rank = recorded_iterations(m);
    if (&m == &measurements.front())
      common = std::move(of_rank);
    else {
      const std::size_t count = std::min(common.size(), of_rank.size());
      common.erase(common.begin(), common.end() - static_cast<std::ptrdiff_t>(count));
      const auto last = of_rank.end() - static_cast<std::ptrdiff_t>(count);
      std::transform(common.begin(), common.end(), last, common.begin(),
                     [](const RecordedIteration& a, const RecordedIteration& b) {
                       return RecordedIteration{.first_event = a.first_event,
                                                .length = std::max(a.length, b.length),
                                                .work = std::max(a.work, b.work)};
                     });
    }
  }
  return common;
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
