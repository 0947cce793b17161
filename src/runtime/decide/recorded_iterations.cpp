#include "runtime/decide/recorded_iterations.hpp"

#include <algorithm>

namespace hypermile::runtime {
namespace {

constexpr std::size_t enough = 4;

template <class Value> Value median(std::vector<Value> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

} // namespace

std::vector<double> recorded_lengths(const Measurement& m) {
  std::vector<double> lengths;
  if (!m.timeline)
    return lengths;
  std::uint64_t event = model::events_before(*m.timeline);
  auto next = m.iterations.begin();
  const std::uint64_t first =
      event + (m.timeline->earlier.empty() ? 0 : m.timeline->earlier.back().end);
  double now = 0;
  std::optional<double> begin;
  for (const model::Event& e : m.timeline->events) {
    if (next != m.iterations.end() && event == *next) {
      if (begin)
        lengths.push_back(now - *begin);
      begin = event >= first ? std::optional(now) : std::nullopt;
      ++next;
    }
    now += static_cast<double>(e.computation) + static_cast<double>(e.duration);
    ++event;
  }
  return lengths;
}

std::optional<UsualIteration> usual_iteration(const std::vector<Measurement>& measurements) {
  UsualIteration usual{};
  for (const Measurement& m : measurements) {
    const std::vector<double> lengths = recorded_lengths(m);
    if (lengths.size() < enough || m.computations.size() < enough)
      return std::nullopt;
    usual.time = std::max(usual.time, Seconds{median(lengths)});
    usual.computation = std::max(usual.computation, median(m.computations));
  }
  return usual;
}

} // namespace hypermile::runtime
