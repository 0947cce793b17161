#include "runtime/loop/call_window.hpp"

#include <algorithm>

namespace hypermile::runtime {

void CallWindow::add(Symbol symbol, const Span& span) {
  const double begin = span.begin.value();
  if (next() == 1)
    begin_ = begin;
  const double pause = begin - (symbols_.empty() ? begin_ : now());
  if (pause > 1e-9)
    pauses_.push_back({next(), pause});
  symbols_.push_back(symbol);
  ends_.push_back(span.end.value());
  details_.push_back({static_cast<float>(span.computation.value()),
                      static_cast<float>(span.computation_in_gear0.value()),
                      static_cast<std::uint32_t>(span.event)});
  last_event_ = span.event;
  computation_ += span.computation.value();
}

void CallWindow::add_to_last(const Span& span) {
  if (const double pause = span.begin.value() - now(); pause > 1e-9)
    pauses_.push_back({next(), pause});
  Details& last = details_.back();
  last.computation += static_cast<float>(span.computation.value());
  last.computation_in_gear0 += static_cast<float>(span.computation_in_gear0.value());
  ends_.back() = span.end.value();
  computation_ += span.computation.value();
}

void CallWindow::forget_older_half() {
  const auto count = static_cast<std::ptrdiff_t>(symbols_.size() / 2);
  begin_ = ends_[static_cast<std::size_t>(count) - 1];
  first_ += static_cast<std::size_t>(count);
  symbols_.erase(symbols_.begin(), symbols_.begin() + count);
  ends_.erase(ends_.begin(), ends_.begin() + count);
  details_.erase(details_.begin(), details_.begin() + count);
  std::erase_if(pauses_, [this](const Pause& pause) { return pause.before < first_; });
}

Span CallWindow::sum(std::size_t from, std::size_t to) const {
  double computation = 0;
  double in_gear0 = 0;
  for (std::size_t call = from; call < to; ++call) {
    computation += details_[call - first_].computation;
    in_gear0 += details_[call - first_].computation_in_gear0;
  }
  double begin = end(from - 1);
  double pauses = 0;
  auto pause = std::ranges::lower_bound(pauses_, from, {}, &Pause::before);
  if (pause != pauses_.end() && pause->before == from)
    begin += (pause++)->length;
  for (; pause != pauses_.end() && pause->before < to; ++pause)
    pauses += pause->length;
  const std::uint32_t ago = static_cast<std::uint32_t>(last_event_) - details_[from - first_].event;
  return {.begin = Seconds{begin},
          .end = Seconds{end(to - 1)},
          .computation = Seconds{computation},
          .computation_in_gear0 = Seconds{in_gear0},
          .communication = Seconds{std::max(0.0, end(to - 1) - begin - pauses - computation)},
          .calls = to - from,
          .event = last_event_ - ago,
          .calls_before = from - 1};
}

Seconds CallWindow::computation_before(std::size_t call) const {
  double before = computation_;
  for (; call < next(); ++call)
    before -= details_[call - first_].computation;
  return Seconds{std::max(0.0, before)};
}

} // namespace hypermile::runtime
