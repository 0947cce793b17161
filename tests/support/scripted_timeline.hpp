#pragma once

#include "model/timeline.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hypermile::test {

/// The timeline of one rank, told call by call. Durations are those of the whole call, in s.
class Script {
public:
  Script& computes(double seconds) {
    pending_ += static_cast<float>(seconds);
    return *this;
  }
  /// Before what it computes next: hypermile does.
  Script& pauses(double seconds) {
    timeline_.pauses.push_back(
        {static_cast<std::uint32_t>(timeline_.events.size()), Seconds{seconds}});
    return *this;
  }
  Script& sends(int to, double duration, std::uint64_t bytes = 8, int tag = 0) {
    add({.action = model::Action::send, .partner = to, .tag = tag, .bytes = bytes});
    return completes(1, duration);
  }
  Script& receives(int from, double duration, std::uint64_t bytes = 8, int tag = 0) {
    add({.action = model::Action::receive, .partner = from, .tag = tag, .bytes = bytes});
    return completes(1, duration);
  }
  Script& starts_send(int to, std::uint64_t bytes = 8, int tag = 0) {
    add({.action = model::Action::send, .partner = to, .tag = tag, .bytes = bytes});
    return ends(0);
  }
  Script& starts_receive(int from, std::uint64_t bytes = 8, int tag = 0) {
    add({.action = model::Action::receive, .partner = from, .tag = tag, .bytes = bytes});
    return ends(0);
  }
  Script& probes(int from, double duration) {
    add({.action = model::Action::probe, .partner = from});
    return ends(duration);
  }
  Script& joins(model::Shape shape, std::uint32_t members, double duration, int root = -1) {
    add({.action = model::Action::arrive, .shape = shape, .partner = root, .members = members});
    return completes(1, duration);
  }
  /// `function`: among the timeline's.
  Script& exchanges(std::uint16_t function, std::uint32_t members, std::uint64_t bytes,
                    double duration) {
    add({.action = model::Action::arrive,
         .shape = model::Shape::all,
         .function = function,
         .members = members,
         .bytes = bytes});
    return completes(1, duration);
  }
  Script& calls(double duration) {
    add({.action = model::Action::other});
    return ends(duration);
  }
  /// One call that waits for the last `starts` sends and receives.
  Script& waits_for(std::size_t starts, double duration) {
    const auto& started = started_;
    for (std::size_t i = started.size() - starts; i < started.size(); ++i)
      complete(started[i]);
    return ends(duration);
  }
  [[nodiscard]] model::RankTimeline done() {
    timeline_.computation_after = Seconds{static_cast<double>(std::exchange(pending_, 0.0F))};
    return timeline_;
  }

private:
  void add(const model::Operation& operation) {
    if (operation.action != model::Action::probe && operation.action != model::Action::other)
      started_.push_back(timeline_.events.size());
    timeline_.events.push_back(
        {.operation = static_cast<std::uint32_t>(timeline_.operations.size()),
         .computation = std::exchange(pending_, 0.0F)});
    timeline_.operations.push_back(operation);
  }
  void complete(std::size_t started) {
    const std::size_t distance = timeline_.events.size() - started;
    add({.action = model::Action::complete});
    started_.pop_back();
    timeline_.events.back().started = distance & 0x7fffffffU;
  }
  Script& completes(std::size_t back, double duration) {
    complete(timeline_.events.size() - back);
    return ends(duration);
  }
  Script& ends(double duration) {
    timeline_.events.back().ends_call = 1;
    timeline_.events.back().duration = static_cast<float>(duration);
    return *this;
  }

  float pending_ = 0;
  model::RankTimeline timeline_;
  std::vector<std::size_t> started_;
};

template <class... Scripts> model::Timeline timeline_of(Scripts&... ranks) {
  return {.functions = {"Send"}, .ranks = {ranks.done()...}};
}

} // namespace hypermile::test
