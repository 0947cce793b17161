#include "model/dependency/costs.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace hypermile::model::dependency {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Messages that should take equally long: by size and partners, by size.
using Class = std::array<std::uint64_t, 3>;

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

class CostFinder {
public:
  CostFinder(const Matching& matching, const Calls& calls, const Protocol& protocol)
      : matching_(matching), calls_(calls),
        count_(static_cast<EventIndex>(matching.event_count())) {
    costs_.protocol = protocol;
    costs_.waits.assign(count_, WaitsFor::nobody);
    costs_.of_message.assign(matching.messages().size(), unknown);
    costs_.of_leaving.assign(count_, 0);
    costs_.of_call.assign(count_, 0);
    bound_.assign(matching.messages().size(), unbounded);
  }

  Costs find() {
    for (const Message& message : matching_.messages())
      costs_.needs_both.push_back(
          waits_for_receiver(message) ||
          costs_.protocol.waits_for_receive(matching_.operation(message.send).bytes));
    for (EventIndex e = 0; e < count_; ++e)
      costs_.waits[e] = waits_for(e);
    for_each_call(&CostFinder::observe);
    estimate_unseen();
    for_each_call(&CostFinder::settle);
    return std::move(costs_);
  }

private:
  /// [first, end): the events of one call.
  using Visit = void (CostFinder::*)(EventIndex first, EventIndex end);
  void for_each_call(Visit visit) {
    for (EventIndex e = 0; e < count_;) {
      const EventIndex end = calls_.end(e);
      (this->*visit)(e, end);
      e = end;
    }
  }

  [[nodiscard]] EventIndex started(EventIndex complete) const {
    return matching_.operation(complete).action == Action::probe
               ? complete
               : complete - matching_.event(complete).started;
  }
  [[nodiscard]] LinkIndex link(EventIndex complete) const {
    return matching_.link(started(complete));
  }
  [[nodiscard]] bool is_message(EventIndex complete) const {
    return costs_.waits[complete] == WaitsFor::message ||
           costs_.waits[complete] == WaitsFor::both_sides;
  }

  /// A probe only needs to hear of the message.
  [[nodiscard]] bool has_message_cost(EventIndex complete) const {
    return is_message(complete) && matching_.operation(complete).action != Action::probe;
  }

  [[nodiscard]] bool waits_for_receiver(const Message& message) const {
    const Operation& send = matching_.operation(message.send);
    switch (send_mode(matching_.timeline(), send)) {
    case SendMode::synchronous:
      return true;
    case SendMode::buffered:
      return false;
    case SendMode::standard:
      break;
    }
    return send.bytes >= costs_.protocol.synchronous_from;
  }

  [[nodiscard]] WaitsFor waits_for(EventIndex e) const {
    const Action action = matching_.operation(e).action;
    if ((action != Action::complete && action != Action::probe) || link(e) == nothing)
      return WaitsFor::nobody;
    const Operation& start = matching_.operation(started(e));
    if (start.action == Action::probe)
      return WaitsFor::message;
    if (start.action == Action::arrive)
      return leaving(e, start);
    if (start.action == Action::send)
      return waits_for_receiver(matching_.messages()[link(e)]) ? WaitsFor::both_sides
                                                               : WaitsFor::nobody;
    return costs_.needs_both[link(e)] ? WaitsFor::both_sides : WaitsFor::message;
  }

  [[nodiscard]] WaitsFor leaving(EventIndex complete, const Operation& start) const {
    const EventIndex arrival = started(complete);
    const Collective& collective = matching_.collectives()[matching_.link(arrival)];
    if (start.shape == Shape::scan)
      return WaitsFor::lower_ranks;
    if (start.shape == Shape::from_root)
      return collective.root == nothing || collective.root == arrival ? WaitsFor::nobody
                                                                      : WaitsFor::root;
    if (start.shape == Shape::to_root)
      return collective.root == arrival ? WaitsFor::all_arrivals : WaitsFor::nobody;
    // A rank that left before the last one came does not wait for all.
    Seconds last;
    for (const EventIndex other : collective.arrivals)
      last = std::max(last, calls_.entered(other));
    return calls_.left(complete) < last ? WaitsFor::nobody : WaitsFor::all_arrivals;
  }

  /// The moment when all that a completion waits for was there.
  [[nodiscard]] double ready(EventIndex complete) const {
    const auto entered = [&](EventIndex e) { return calls_.entered(e).value(); };
    if (is_message(complete)) {
      const Message& m = matching_.messages()[link(complete)];
      return costs_.waits[complete] == WaitsFor::message
                 ? entered(m.send)
                 : std::max(entered(m.send), entered(m.receive));
    }
    const Collective& collective = matching_.collectives()[link(complete)];
    const EventIndex self = started(complete);
    double last = entered(self);
    if (costs_.waits[complete] == WaitsFor::root)
      return std::max(last, entered(collective.root));
    for (const EventIndex other : collective.arrivals)
      if (costs_.waits[complete] == WaitsFor::all_arrivals || other < self)
        last = std::max(last, entered(other));
    return last;
  }

  /// How many events of the call wait for somebody, and the last of them.
  [[nodiscard]] EventIndex waiting(EventIndex first, EventIndex end, EventIndex& last) const {
    EventIndex count = 0;
    for (EventIndex e = first; e < end; ++e)
      if (costs_.waits[e] != WaitsFor::nobody) {
        ++count;
        last = e;
      }
    return count;
  }

  void observe(EventIndex first, EventIndex end) {
    EventIndex last = first;
    const EventIndex count = waiting(first, end, last);
    const bool blocked = calls_.duration(first) > longest_overhead;
    for (EventIndex e = first; e < end; ++e)
      if (costs_.waits[e] != WaitsFor::nobody)
        observe_completion(e, blocked && count == 1);
    if (count == 0 || !blocked)
      costs_.of_call[end - 1] = calls_.duration(first).value();
  }

  /// `decided`: it alone decided when its call was left.
  void observe_completion(EventIndex complete, bool decided) {
    const double own = std::max(0.0, calls_.left(complete).value() - ready(complete));
    if (!has_message_cost(complete)) {
      costs_.of_leaving[complete] = own;
      return;
    }
    const LinkIndex message = link(complete);
    bound_[message] = std::min(bound_[message], own);
    if (decided)
      costs_.of_message[message] = own;
  }

  [[nodiscard]] Class by_partners(LinkIndex m) const {
    const Message& message = matching_.messages()[m];
    return {matching_.operation(message.send).bytes, matching_.rank(message.send) + 1,
            matching_.rank(message.receive) + 1};
  }
  [[nodiscard]] Class by_size(LinkIndex m) const { return {by_partners(m)[0], 0, 0}; }

  /// What messages of each class were seen to take, typically, and the least that some can have.
  struct Seen {
    std::map<Class, double> typical;
    std::map<Class, double> least_bound;
  };

  [[nodiscard]] Seen seen() const {
    std::map<Class, std::vector<double>> all;
    Seen seen;
    for (LinkIndex m = 0; m < bound_.size(); ++m)
      for (const Class& c : {by_partners(m), by_size(m)}) {
        if (costs_.of_message[m] >= 0)
          all[c].push_back(costs_.of_message[m]);
        const auto [found, is_new] = seen.least_bound.try_emplace(c, bound_[m]);
        found->second = std::min(found->second, bound_[m]);
      }
    for (auto& [c, costs] : all)
      seen.typical[c] = median(costs);
    return seen;
  }

  void estimate_unseen() {
    const Seen known = seen();
    for (LinkIndex m = 0; m < bound_.size(); ++m) {
      if (costs_.of_message[m] >= 0)
        continue;
      auto found = known.typical.find(by_partners(m));
      if (found == known.typical.end())
        found = known.typical.find(by_size(m));
      const double expected =
          found == known.typical.end() ? known.least_bound.at(by_partners(m)) : found->second;
      const double cost = std::min(expected, bound_[m]);
      costs_.of_message[m] = cost < unbounded ? cost : 0;
    }
  }

  /// Where several are waited for at once, the one that was the last must explain the end.
  void settle(EventIndex first, EventIndex end) {
    EventIndex last = first;
    if (waiting(first, end, last) < 2 || calls_.duration(first) <= longest_overhead)
      return;
    double latest = -unbounded;
    for (EventIndex e = first; e < end; ++e) {
      if (costs_.waits[e] == WaitsFor::nobody)
        continue;
      const double done =
          ready(e) + (has_message_cost(e) ? costs_.of_message[link(e)] : costs_.of_leaving[e]);
      if (done > latest) {
        latest = done;
        last = e;
      }
    }
    const double missing = calls_.left(first).value() - latest;
    if (missing > 0)
      (has_message_cost(last) ? costs_.of_message[link(last)] : costs_.of_leaving[last]) += missing;
  }

  const Matching& matching_;
  const Calls& calls_;
  EventIndex count_;
  Costs costs_;
  std::vector<double> bound_; ///< s, by message: it cannot have taken longer
};

} // namespace

Costs find_costs(const Matching& matching, const Calls& calls, const Protocol& assumed) {
  return CostFinder(matching, calls, detect_protocol(matching, calls, assumed)).find();
}

} // namespace hypermile::model::dependency
