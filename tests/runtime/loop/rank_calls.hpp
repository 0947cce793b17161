#pragma once

#include "runtime/loop/loop_watch.hpp"

#include <string_view>
#include <utility>

namespace hypermile::runtime {

/// The calls of one rank; a letter is a call site.
class Rank {
public:
  explicit Rank(double start = 0, const Repetition& repetition = {})
      : watch(Seconds{start}, repetition), now_(start) {}

  /// `detail` tells calls from the same place apart. Returns whether the main loop turned.
  bool call(char site, double computation, double communication, std::uint64_t detail = 0) {
    return watch.add_call({.place = static_cast<CallSignature>(site),
                           .detail = static_cast<CallSignature>(site) + 1000 * detail},
                          span(computation, communication, 1));
  }
  /// A call that the program repeats as often as time has it.
  bool poll(char site, double computation, double communication, std::uint64_t detail = 0) {
    const auto place = static_cast<CallSignature>(site);
    return watch.add_call(
        {.place = place, .detail = place + 1000 * detail, .repeats_by_time = true},
        span(computation, communication, 1));
  }
  /// Returns how often the main loop turned.
  int calls(std::string_view sites, int times, double computation = 0.2,
            double communication = 0.1) {
    int turned = 0;
    for (int i = 0; i < times; ++i)
      for (const char site : sites)
        turned += call(site, computation, communication) ? 1 : 0;
    return turned;
  }
  bool mark(double computation = 0) { return watch.mark_iteration(span(computation, 0, 0)); }
  [[nodiscard]] LoopReport report() const { return watch.report(); }

  LoopWatch watch;

  void pause(double seconds) { now_ += seconds; }

private:
  Span span(double computation, double communication, std::size_t calls) {
    const double begin = now_;
    now_ += computation + communication;
    return {.begin = Seconds{begin},
            .end = Seconds{now_},
            .computation = Seconds{computation},
            .computation_in_gear0 = Seconds{computation},
            .communication = Seconds{communication},
            .calls = calls,
            .event = std::exchange(events_, events_ + calls)};
  }
  double now_;
  std::uint64_t events_ = 0; ///< one per call
};

} // namespace hypermile::runtime
