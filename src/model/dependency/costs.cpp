#include "model/dependency/costs.hpp"

#include "model/dependency/relays.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace hypermile::model::dependency {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Messages that should take equally long: by size and partners, by size.
using Class = std::array<std::uint64_t, 3>;

/// Calls that should take equally long where they wait for nobody: by function and events.
using CallKind = std::pair<std::uint16_t, EventIndex>;
/// They take no longer than this.
constexpr Seconds most_overhead{50e-6};

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// What messages of each class were seen to take, typically, and the least that some can have.
struct Seen {
  std::map<Class, double> typical;
  std::map<Class, double> least_hidden;
};

class CostFinder {
public:
  CostFinder(const Matching& matching, const Calls& calls, const Protocol& protocol)
      : matching_(matching), calls_(calls),
        count_(static_cast<EventIndex>(matching.event_count())) {
    costs_.protocol = protocol;
    costs_.waits.assign(count_, WaitsFor::nobody);
    costs_.relays = find_relays(matching, calls);
    costs_.of_message.assign(matching.messages().size(), unknown);
    costs_.of_leaving.assign(count_, 0);
    costs_.of_call.assign(count_, 0);
    bound_.assign(matching.messages().size(), unbounded);
    hidden_.assign(matching.messages().size(), unbounded);
    sure_.assign(matching.messages().size(), false);
    for (const Collective& collective : matching.collectives()) {
      Seconds last;
      for (const EventIndex arrival : collective.arrivals)
        last = std::max(last, calls.entered(arrival));
      last_arrival_.push_back(last);
    }
    sum_delays();
  }

  Costs find() {
    for (const Message& message : matching_.messages()) {
      costs_.in_calls.push_back(costs_.protocol.moves_in_calls && calls_.is_non_blocking(message));
      costs_.needs_both.push_back(
          costs_.in_calls.back() || waits_for_receiver(message) ||
          costs_.protocol.waits_for_receive(matching_.operation(message.send).bytes));
    }
    for (EventIndex e = 0; e < count_; ++e)
      costs_.waits[e] = waits_for(e);
    for_each_call(&CostFinder::find_overhead);
    for_each_call(&CostFinder::observe);
    known_ = seen(); // tells more waits from mere overhead
    for_each_call(&CostFinder::observe);
    known_ = seen();
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
    return matching_.operation(complete).action == Action::probe ? complete
                                                                 : matching_.start(complete);
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
      return costs_.in_calls[link(e)] || waits_for_receiver(matching_.messages()[link(e)])
                 ? WaitsFor::both_sides
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
    const Seconds last = last_arrival_[matching_.link(arrival)];
    return calls_.left(complete) < last ? WaitsFor::nobody : WaitsFor::all_arrivals;
  }

  /// The moment when all that a completion waits for was there.
  [[nodiscard]] double ready(EventIndex complete) const {
    const auto entered = [&](EventIndex e) { return calls_.entered(e).value(); };
    if (is_message(complete)) {
      const Message& m = matching_.messages()[link(complete)];
      if (costs_.in_calls[link(complete)])
        return std::max(entered(matching_.completion(m.send)),
                        entered(matching_.completion(m.receive)));
      return costs_.waits[complete] == WaitsFor::message
                 ? entered(m.send)
                 : std::max(entered(m.send), entered(m.receive));
    }
    const Collective& collective = matching_.collectives()[link(complete)];
    const EventIndex self = started(complete);
    double last = entered(self);
    if (costs_.waits[complete] == WaitsFor::root) {
      const EventIndex relay = costs_.relays[self];
      return std::max(last, relay == nothing || relay == collective.root
                                ? entered(collective.root)
                                : calls_.left(relay).value());
    }
    if (costs_.waits[complete] == WaitsFor::all_arrivals)
      return std::max(last, last_arrival_[link(complete)].value());
    for (const EventIndex other : collective.arrivals)
      if (other < self)
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

  /// By how much longer a rank has computed before each event than it would have in gear 0.
  void sum_delays() {
    delay_.reserve(count_);
    for (EventIndex e = 0; e < count_; ++e) {
      const std::uint32_t rank = matching_.rank(e);
      const EventIndex first = matching_.first_event(rank);
      const double scale = scale_before(matching_.timeline().ranks[rank], e - first);
      const double longer = static_cast<double>(matching_.event(e).computation) * (1 - 1 / scale);
      delay_.push_back((e == first ? 0 : delay_.back()) + longer);
    }
  }

  /// How much later than in gear 0 a rank entered a call, that had computed since that moment.
  [[nodiscard]] double delay_since(double moment, EventIndex entered) const {
    const EventIndex rank_begin = matching_.first_event(matching_.rank(entered));
    EventIndex low = rank_begin;
    for (EventIndex high = entered; low < high;) {
      const EventIndex middle = low + (high - low) / 2;
      if (calls_.entered(middle).value() < moment)
        low = middle + 1;
      else
        high = middle;
    }
    // The computation before the first event from then on may have begun earlier.
    const double before = low == rank_begin ? 0 : delay_[low - 1];
    const auto computation = static_cast<double>(matching_.event(low).computation);
    const double since = calls_.entered(low).value() - moment;
    const double share = computation > 0 ? std::clamp(since / computation, 0.0, 1.0) : 1;
    return delay_[entered] - before - (delay_[low] - before) * (1 - share);
  }

  [[nodiscard]] CallKind kind(EventIndex first, EventIndex end) const {
    return {matching_.operation(end - 1).function, end - first};
  }

  void find_overhead(EventIndex first, EventIndex end) {
    const double duration = calls_.duration(first).value();
    const auto [found, is_new] = overhead_.try_emplace(kind(first, end), duration);
    found->second = std::min(found->second, duration);
  }

  /// Whether a message that takes as long as others would have come when the call was left.
  [[nodiscard]] bool is_explained(EventIndex complete) const {
    constexpr double tolerance = 0.1;
    if (!has_message_cost(complete))
      return false;
    const auto cost = typical(link(complete));
    return cost &&
           std::abs(calls_.left(complete).value() - ready(complete) - *cost) <= tolerance * *cost;
  }

  /// Whether the call waited for somebody: who comes last came after it, or it took far longer than
  /// such calls take anyway, or just as long as a message would make it.
  [[nodiscard]] bool has_waited(EventIndex first, EventIndex end) const {
    const bool has_lasted = calls_.duration(first) > longest_overhead;
    for (EventIndex e = first; e < end; ++e)
      if (costs_.waits[e] != WaitsFor::nobody &&
          (ready(e) > calls_.entered(first).value() || (has_lasted && is_explained(e))))
        return true;
    const double overhead = std::min(overhead_.at(kind(first, end)), most_overhead.value());
    return calls_.duration(first) > longest_overhead + Seconds{2 * overhead};
  }

  void observe(EventIndex first, EventIndex end) {
    const std::optional<EventIndex> decisive = latest_ready(first, end);
    const bool waited = decisive && has_waited(first, end);
    for (EventIndex e = first; e < end; ++e)
      if (costs_.waits[e] != WaitsFor::nobody)
        observe_completion(e, waited, e == decisive);
    costs_.of_call[end - 1] = waited ? 0 : calls_.duration(first).value();
  }

  /// Of what the call waits for, what could begin last; most often that came last, too.
  [[nodiscard]] std::optional<EventIndex> latest_ready(EventIndex first, EventIndex end) const {
    std::optional<EventIndex> latest;
    for (EventIndex e = first; e < end; ++e)
      if (costs_.waits[e] != WaitsFor::nobody && (!latest || ready(e) >= ready(*latest)))
        latest = e;
    return latest;
  }

  /// `waited`: its call. `decisive`: until this was there.
  void observe_completion(EventIndex complete, bool waited, bool decisive) {
    const double from = ready(complete);
    const double entered = calls_.entered(complete).value();
    const double own = std::max(0.0, calls_.left(complete).value() - from);
    const double in_gear0 = from < entered ? std::max(0.0, own - delay_since(from, complete)) : own;
    if (!has_message_cost(complete)) {
      costs_.of_leaving[complete] = waited ? own : in_gear0;
      return;
    }
    const LinkIndex message = link(complete);
    bound_[message] = std::min(bound_[message], own);
    hidden_[message] = std::min(hidden_[message], in_gear0);
    if (!waited || !decisive)
      return;
    costs_.of_message[message] = own;
    sure_[message] = from >= entered;
  }

  [[nodiscard]] Class by_partners(LinkIndex m) const {
    const Message& message = matching_.messages()[m];
    return {matching_.operation(message.send).bytes, matching_.rank(message.send) + 1,
            matching_.rank(message.receive) + 1};
  }
  [[nodiscard]] Class by_size(LinkIndex m) const { return {by_partners(m)[0], 0, 0}; }

  [[nodiscard]] Seen seen() const {
    std::map<Class, std::vector<double>> all;
    std::map<Class, std::vector<double>> sure;
    Seen seen;
    for (LinkIndex m = 0; m < bound_.size(); ++m)
      for (const Class& c : {by_partners(m), by_size(m)}) {
        if (costs_.of_message[m] >= 0)
          (sure_[m] ? sure : all)[c].push_back(costs_.of_message[m]);
        const auto [found, is_new] = seen.least_hidden.try_emplace(c, hidden_[m]);
        found->second = std::min(found->second, hidden_[m]);
      }
    for (auto& [c, costs] : all)
      seen.typical[c] = median(costs);
    for (auto& [c, costs] : sure)
      seen.typical[c] = median(costs);
    return seen;
  }

  /// What such a message takes; none where none was seen.
  [[nodiscard]] std::optional<double> typical(LinkIndex m) const {
    for (const Class& c : {by_partners(m), by_size(m)})
      if (const auto found = known_.typical.find(c); found != known_.typical.end())
        return found->second;
    return std::nullopt;
  }

  void estimate_unseen() {
    for (LinkIndex m = 0; m < bound_.size(); ++m) {
      if (costs_.of_message[m] >= 0)
        continue;
      const double expected = typical(m).value_or(known_.least_hidden.at(by_partners(m)));
      const double cost = std::min(expected, bound_[m]);
      costs_.of_message[m] = cost < unbounded ? cost : 0;
    }
  }

  /// Where several are waited for at once, the one that was the last must explain the end.
  void settle(EventIndex first, EventIndex end) {
    EventIndex last = first;
    if (waiting(first, end, last) < 2 || !has_waited(first, end))
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
  std::vector<Seconds> last_arrival_; ///< by collective operation: when the call was entered
  std::vector<double> bound_;         ///< s, by message: it cannot have taken longer
  std::vector<double> hidden_;        ///< the same, had its receiver computed in gear 0 meanwhile
  std::vector<bool> sure_;            ///< by message: its receiver waited before it was on its way
  std::vector<double> delay_;         ///< s, by event: by which its rank's gears have delayed it
  Seen known_;
  std::map<CallKind, double> overhead_; ///< s, the shortest call
};

} // namespace

Costs find_costs(const Matching& matching, const Calls& calls, const Protocol& assumed) {
  return CostFinder(matching, calls, detect_protocol(matching, calls, assumed)).find();
}

} // namespace hypermile::model::dependency
