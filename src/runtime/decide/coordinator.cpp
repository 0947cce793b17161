#include "runtime/decide/coordinator.hpp"

#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/time_model.hpp"
#include "runtime/exchange/timeline_message.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::runtime {
namespace {

/// A rank that has found a loop tells of it again and again. When it has done so this often, while
/// others have found none, these are asked for what they have.
constexpr std::size_t patience = 2;
constexpr std::size_t most_asks = 2; ///< for one choice

/// What the messages for choices may take of a link of 1 Gbit/s, and besides: the first choices of
/// a short program decide about most of it. They all go to rank 0, and delay what the program sends
/// there by more than that.
constexpr double most_of_time = 0.0025;
constexpr Seconds anyway{0.002};

/// All ranks' together, about, on such a link.
Seconds time_of_messages(const std::vector<Measurement>& all) {
  constexpr double without_events = 400;
  double bytes = 0;
  for (const Measurement& m : all)
    bytes += without_events +
             (m.timeline ? bytes_per_event * static_cast<double>(m.timeline->events.size()) : 0);
  return Seconds{bytes / slow_link.value()};
}

constexpr auto has = [](const auto& value) { return value.has_value(); };

} // namespace

Coordinator::Coordinator(std::optional<select::Request> request, std::size_t ranks, TimeModel model,
                         control::Background* background)
    : power_(model.known_power), nodes_(ranks), background_(background), measurements_(ranks),
      told_(ranks), asked_(ranks), early_(ranks), late_(ranks) {
  if (!request)
    return;
  caps_power_ = request->constraints.average_power_cap || request->constraints.peak_power_cap;
  keeps_pace_ = !request->constraints.max_slowdown && !model.repetition.follows_changes();
  chooser_.emplace(*request, std::move(model));
}

Coordinator::~Coordinator() { settle(); }

const std::vector<Decision>& Coordinator::decisions() const {
  static const std::vector<Decision> none;
  return chooser_ ? chooser_->decisions() : none;
}

bool Coordinator::none_waits() const {
  return std::ranges::none_of(measurements_, has) && std::ranges::find(late_, true) == late_.end();
}

std::vector<int> Coordinator::missing() const {
  std::vector<int> ranks;
  if (none_waits() && !decisions().empty())
    return ranks;
  for (std::size_t r = 0; r < measurements_.size(); ++r)
    if (!measurements_[r] && !late_[r])
      ranks.push_back(static_cast<int>(r));
  return ranks;
}

std::size_t Coordinator::index_of(int rank) const {
  if (rank < 0 || static_cast<std::size_t>(rank) >= measurements_.size())
    throw Error(ErrorKind::hardware,
                fmt::format("a message is of rank {} of {}", rank, measurements_.size()));
  return static_cast<std::size_t>(rank);
}

/// What the rank has left out, as it told it before.
template <class OfRank> void Coordinator::recall_node(OfRank& measurement) {
  auto& known = nodes_[index_of(measurement.rank)];
  if (!measurement.node_is_known)
    known = measurement.node;
  else if (known)
    measurement.node = *known;
  else
    throw Error(ErrorKind::hardware,
                fmt::format("rank {} has not told its node", measurement.rank));
  measurement.node_is_known = false;
}

std::vector<Message> Coordinator::to_all(const Message& message) const {
  return std::vector<Message>(measurements_.size(), message);
}

std::vector<Message> Coordinator::add(Measurement measurement) {
  const std::size_t rank = index_of(measurement.rank);
  recall_node(measurement);
  if (measurement.gear >= measurement.node.type.gears.size())
    throw Error(ErrorKind::hardware,
                fmt::format("rank {} is in gear {}, of {}", rank, measurement.gear,
                            measurement.node.type.gears.size()));
  power_.add(measurement.rank, measurement.node, measurement.power);
  measurement.power.clear();
  if (measurement.measured_iterations > 0 && measurement.orders < last_order_) {
    if (measurement.orders < last_loop_decision_) // the rank has not heard of it
      return {};
    measurement.measured_iterations = 0;
  }
  measurements_[rank] = std::move(measurement);
  ++told_[rank];
  asked_[rank] = false;
  if (!chooser_ || stage_ == Stage::chooses)
    return {};
  if (!std::ranges::all_of(measurements_, has))
    return told_[rank] > patience && !is_asked() ? ask_silent() : std::vector<Message>{};
  return is_asked() ? std::vector<Message>{} : choose_or_ask();
}

/// What is known for sure takes the place of the power tables.
template <class OfRank> void Coordinator::apply_power(std::vector<OfRank>& all) {
  if (caps_power_)
    return;
  Chooser::Beaten beaten;
  for (OfRank& m : all)
    if (auto table = power_.table_of(m.node)) {
      beaten.try_emplace(m.node.name, power_.beaten_of(m.node));
      m.node.type.power = std::move(*table);
    }
  chooser_->leave_out(std::move(beaten));
}

std::vector<Message> Coordinator::add(EarlyMeasurement measurement) {
  const std::size_t rank = index_of(measurement.rank);
  recall_node(measurement);
  const std::size_t look = measurement.look;
  early_[rank] = std::move(measurement);
  const bool loop_is_known = std::ranges::any_of(measurements_, has) || last_loop_decision_ > 0;
  if (!chooser_ || loop_is_known || stage_ == Stage::chooses ||
      !std::ranges::all_of(early_, [look](const auto& m) { return m && m->look == look; }))
    return {};
  std::vector<EarlyMeasurement> all;
  for (auto& of_rank : early_)
    all.push_back(*std::exchange(of_rank, std::nullopt));
  apply_power(all);
  auto orders = chooser_->choose_early(all);
  return orders.empty() ? to_all(Stay{}) : orders;
}

std::vector<Message> Coordinator::add(const Drifted& drifted) {
  (void)index_of(drifted.rank);
  if (!chooser_ || remeasuring_)
    return {};
  if (stage_ != Stage::gathers) { // soon after that
    drifted_ = true;
    return {};
  }
  if (drifted.orders != decisions().size()) // it has not heard of the last choice
    return {};
  remeasuring_ = true;
  std::ranges::fill(measurements_, std::nullopt); // they are of what was before
  return to_all(Remeasure{});
}

bool Coordinator::is_asked() const { return std::ranges::find(asked_, true) != asked_.end(); }

std::vector<Message> Coordinator::ask(std::vector<bool> ranks) {
  asked_ = std::move(ranks);
  ++asks_;
  std::vector<Message> messages;
  for (const bool meant : asked_)
    messages.emplace_back(Ask{.meant = meant});
  return messages;
}

/// Most ranks have found loops and wait for few that have found none.
std::vector<Message> Coordinator::ask_silent() {
  std::vector<bool> silent;
  for (const auto& measurement : measurements_)
    silent.push_back(!measurement);
  const auto count = static_cast<std::size_t>(std::ranges::count(silent, true));
  return 2 * count > silent.size() ? std::vector<Message>{} : ask(std::move(silent));
}

std::vector<Message> Coordinator::choose_or_ask() {
  std::vector<Measurement> all = take_measurements();
  std::vector<bool> late = asks_ < most_asks ? outdated(all) : std::vector<bool>{};
  if (late.empty())
    return choose(std::move(all));
  std::ranges::move(all, measurements_.begin());
  return ask(std::move(late));
}

std::vector<Measurement> Coordinator::take_measurements() {
  std::vector<Measurement> all;
  for (auto& measurement : measurements_)
    all.push_back(*std::exchange(measurement, std::nullopt));
  return all;
}

/// All measure next at the same moment: not before the messages for choices, this one's included,
/// have taken a small share of the time so far; nor before the loop has been repeated half as
/// often again. Only where that is soon anyway, what was assumed is looked at sooner. Where ranks
/// are in different loops each has its own moment.
void Coordinator::pace(const std::vector<Measurement>& all) {
  after_.assign(all.size(), 0);
  may_look_soon_ = true;
  if (!keeps_pace_ || !are_of_one_loop(all))
    return;
  const Seconds iteration = longest_iteration(all);
  const Seconds now = elapsed_of(all);
  std::size_t count = 0;
  for (const Measurement& m : all)
    count = std::max(count, m.measured_iterations);
  messages_ += time_of_messages(all);
  const Seconds affordable_at = (messages_ - anyway) / most_of_time;
  const double affordable = std::ceil(std::max(affordable_at - now, Seconds{}) / iteration);
  may_look_soon_ = affordable <= static_cast<double>(count);
  const double pause = std::max(affordable, std::ceil(static_cast<double>(count) / 2));
  constexpr double most = 1e9; // whatever a rank says
  for (std::size_t r = 0; r < all.size(); ++r) {
    const double after = pause + std::round((now - all[r].elapsed) / iteration);
    after_[r] = after > 0 ? static_cast<std::size_t>(std::min(after, most)) : 0;
  }
}

std::vector<Message> Coordinator::choose(std::vector<Measurement> all) {
  apply_power(all);
  pace(all);
  asks_ = 0;
  std::ranges::fill(told_, 0);
  last_loop_decision_ = last_order_ = decisions().size() + 1;
  stage_ = Stage::gathers;
  const Seconds pause =
      longest_iteration(all) * static_cast<double>(after_.empty() ? 0 : std::ranges::max(after_));
  if (background_ == nullptr)
    return hand_out(chooser_->choose(std::move(all), remeasuring_, pause));
  background_->start([this, pause, changed = remeasuring_, measured = std::move(all)]() mutable {
    try {
      outcome_.orders = chooser_->choose(std::move(measured), changed, pause);
    } catch (const std::exception&) {
      outcome_.failure = std::current_exception();
    }
  });
  stage_ = Stage::chooses;
  return {};
}

std::vector<Message> Coordinator::take_orders() {
  if (stage_ != Stage::chooses || !background_->done())
    return {};
  stage_ = Stage::gathers;
  Outcome outcome = std::exchange(outcome_, {});
  if (outcome.failure)
    std::rethrow_exception(outcome.failure);
  return hand_out(std::move(outcome.orders));
}

std::vector<Message> Coordinator::check_time(Seconds elapsed) {
  if (!chooser_ || stage_ == Stage::chooses)
    return {};
  auto orders = remeasuring_ ? std::vector<Message>{} : chooser_->end_look(elapsed);
  if (orders.empty())
    orders = chooser_->end_unheard(elapsed);
  if (orders.empty())
    return orders;
  for (auto& measurement : measurements_) // what some have told by now is worth knowing
    if (measurement)
      measurement->measured_iterations = 0;
  last_order_ = decisions().size();
  return orders;
}

/// The orders, with what became known while they were made.
std::vector<Message> Coordinator::hand_out(std::vector<Message> orders) {
  remeasuring_ = false;
  for (std::size_t rank = 0; rank < orders.size(); ++rank) {
    auto& order = std::get<GearOrder>(orders[rank]);
    order.after = after_[rank];
    order.look_again = order.look_again && may_look_soon_;
  }
  if (std::exchange(drifted_, false))
    for (Message& order : orders)
      std::get<GearOrder>(order).look_again = true;
  return orders;
}

void Coordinator::settle() {
  if (stage_ == Stage::chooses)
    background_->wait();
  stage_ = Stage::gathers;
}

void Coordinator::conclude(const std::vector<RankReport>& ranks) {
  if (chooser_)
    chooser_->conclude(ranks);
}

std::vector<LearntPower> Coordinator::conclude_power(std::vector<RankReport>& ranks) {
  for (const RankReport& rank : ranks)
    power_.add(rank.rank, rank.node, rank.power);
  for (RankReport& rank : ranks) {
    rank.power.clear();
    if (!rank.meter_dropped.empty())
      power_.drop(rank.node.name);
  }
  auto learnt = power_.report();
  for (LearntPower& of_type : learnt)
    if (caps_power_ && of_type.why_not.empty())
      of_type.why_not = "under a cap on power the tables stay as they are";
  for (RankReport& rank : ranks) {
    const auto wrong = power_.implausible().find(rank.node.name);
    if (wrong != power_.implausible().end() && rank.energy) {
      rank.meter_dropped = wrong->second;
      drop_meter(rank);
    }
    const auto known = learnt_of(learnt, rank.node.type);
    if (known == nullptr || !known->in_use)
      continue;
    rank.node.type.power = known->table;
    rank.node.power_assumed = false;
    if (rank.access)
      rank.access->power_assumed = false;
  }
  return learnt;
}

} // namespace hypermile::runtime
