#include "timeline/checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>
#include <vector>

namespace hypermile::test {
namespace {

using model::Action;
using model::Operation;
using model::RankTimeline;
using model::Timeline;

const Operation& operation(const RankTimeline& rank, std::size_t event) {
  return rank.operations[rank.events[event].operation];
}

/// `visit(rank, operation)` for every event, in order.
void for_each_event(const Timeline& timeline, const auto& visit) {
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    for (std::size_t i = 0; i < timeline.ranks[rank].events.size(); ++i)
      visit(static_cast<int>(rank), operation(timeline.ranks[rank], i));
}

bool can_be_completed(Action action) {
  return action == Action::send || action == Action::receive || action == Action::arrive;
}

bool about_equal(double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b) + 1e-12; }

} // namespace

std::string unmatched_messages(const Timeline& timeline) {
  using Channel = std::tuple<std::uint64_t, int, int, int>; // communicator, from, to, tag
  using Bytes = std::vector<std::uint64_t>;
  std::map<Channel, std::pair<Bytes, Bytes>> channels;
  for_each_event(timeline, [&](int rank, const Operation& it) {
    if (it.action == Action::send)
      channels[{it.communicator, rank, it.partner, it.tag}].first.push_back(it.bytes);
    if (it.action == Action::receive)
      channels[{it.communicator, it.partner, rank, it.tag}].second.push_back(it.bytes);
  });
  std::string wrong;
  for (const auto& [channel, messages] : channels)
    if (messages.first != messages.second)
      wrong += fmt::format("communicator {} from {} to {} tag {}: {} sent, {} received\n",
                           std::get<0>(channel), std::get<1>(channel), std::get<2>(channel),
                           std::get<3>(channel), messages.first.size(), messages.second.size());
  return wrong;
}

std::string unmatched_arrivals(const Timeline& timeline) {
  using What = std::tuple<model::Shape, std::uint16_t, int, std::uint32_t>;
  std::map<std::uint64_t, std::map<int, std::vector<What>>> communicators;
  for_each_event(timeline, [&](int rank, const Operation& it) {
    if (it.action == Action::arrive)
      communicators[it.communicator][rank].emplace_back(it.shape, it.function, it.partner,
                                                        it.members);
  });
  std::string wrong;
  for (const auto& [communicator, arrivals] : communicators)
    for (const auto& [rank, list] : arrivals) {
      if (list != arrivals.begin()->second)
        wrong += fmt::format("communicator {}: rank {} and {} arrive at different operations\n",
                             communicator, rank, arrivals.begin()->first);
      if (std::get<3>(list.front()) != arrivals.size())
        wrong += fmt::format("communicator {}: {} ranks arrive, members are {}\n", communicator,
                             arrivals.size(), std::get<3>(list.front()));
    }
  return wrong;
}

std::string wrong_completions(const Timeline& timeline, std::size_t given_up) {
  std::string wrong;
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
    const RankTimeline& rank = timeline.ranks[r];
    std::vector<int> completed(rank.events.size());
    std::size_t open = 0;
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      if (operation(rank, i).action != Action::complete)
        continue;
      const std::size_t started = rank.events[i].started;
      if (started == 0 || started > i || !can_be_completed(operation(rank, i - started).action))
        wrong += fmt::format("rank {} event {} completes what cannot be\n", r, i);
      else if (++completed[i - started] == 2)
        wrong += fmt::format("rank {} event {} is completed twice\n", r, i - started);
    }
    for (std::size_t i = 0; i < rank.events.size(); ++i) {
      const Operation& it = operation(rank, i);
      if (!can_be_completed(it.action) || completed[i] != 0)
        continue;
      if (it.action != Action::send)
        wrong += fmt::format("rank {} event {} is never completed\n", r, i);
      ++open;
    }
    if (open != given_up)
      wrong += fmt::format("rank {}: {} are never completed, not {}\n", r, open, given_up);
  }
  return wrong;
}

std::string wrong_times(const Timeline& timeline, const runtime::RunReport& report) {
  std::string wrong;
  double last = 0;
  double longest = 0;
  for (const auto& its : report.ranks) {
    const RankTimeline& rank = timeline.ranks.at(static_cast<std::size_t>(its.rank));
    double computation = rank.computation_after.value();
    double communication = 0;
    for (const model::Event& event : rank.events) {
      computation += static_cast<double>(event.computation);
      communication += static_cast<double>(event.duration);
    }
    if (!about_equal(computation, its.computation.value()) ||
        !about_equal(communication, its.communication.value()))
      wrong += fmt::format(
          "rank {}: {} s of computation, {} s of communication instead of {}, {}\n", its.rank,
          computation, communication, its.computation.value(), its.communication.value());
    last = std::max(last, rank.begin.value() + computation + communication);
    longest = std::max(longest, rank.begin.value() + its.time.value());
  }
  if (!about_equal(last, longest))
    wrong += fmt::format("the last rank ends at {} s instead of {} s\n", last, longest);
  return wrong;
}

std::map<Action, std::size_t> actions(const Timeline& timeline, std::string_view function) {
  std::map<Action, std::size_t> counts;
  for_each_event(timeline, [&](int, const Operation& it) {
    if (function.empty() || timeline.functions[it.function] == function)
      ++counts[it.action];
  });
  return counts;
}

} // namespace hypermile::test
