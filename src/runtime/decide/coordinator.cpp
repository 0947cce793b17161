#include "runtime/decide/coordinator.hpp"

#include "model/dependency/assignment.hpp"
#include "select/dependency_search.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::runtime {
namespace {

/// A loop in which no rank computes for longer than this share tells nothing about the program
/// (a set-up loop of messages, say): its nodes would all be sent into their lowest gear.
constexpr double least_computation_share = 0.05;

/// Once gears have been set, the model's own time for gear 0 holds waiting that they cause.
void refer_to(const model::Baseline& baseline, Decision& decision) {
  decision.baseline = baseline;
  model::Prediction& p = decision.prediction;
  if (std::ranges::all_of(decision.gears, [](model::Gear gear) { return gear == 0; })) {
    p = {baseline.time, baseline.energy, 1, 1, 0};
    return;
  }
  p.p_norm = baseline.time / p.time;
  p.e_norm = p.energy / baseline.energy;
  p.distance = p.p_norm - p.e_norm;
}

constexpr auto has = [](const auto& value) { return value.has_value(); };

} // namespace

Coordinator::Coordinator(std::optional<select::Request> request, std::size_t ranks, TimeModel model,
                         control::Background* background)
    : request_(std::move(request)), model_(std::move(model)), background_(background),
      decision_budget_(model_.stopwatch, model_.think), measurements_(ranks), ready_(ranks) {}

Coordinator::~Coordinator() { settle(); }

std::vector<int> Coordinator::missing() const {
  std::vector<int> ranks;
  for (std::size_t r = 0; r < measurements_.size(); ++r)
    if (!measurements_[r] && !ready_[r])
      ranks.push_back(static_cast<int>(r));
  const bool none_waits = ranks.size() == measurements_.size();
  if (none_waits && (!decisions_.empty() || asked_for_events_))
    ranks.clear();
  return ranks;
}

std::size_t Coordinator::index_of(int rank) const {
  if (rank < 0 || static_cast<std::size_t>(rank) >= measurements_.size())
    throw Error(ErrorKind::hardware,
                fmt::format("a message is of rank {} of {}", rank, measurements_.size()));
  return static_cast<std::size_t>(rank);
}

std::vector<Message> Coordinator::add(Measurement measurement) {
  const std::size_t rank = index_of(measurement.rank);
  measurements_[rank] = std::move(measurement);
  return proceed();
}

std::vector<Message> Coordinator::add(const Ready& ready) {
  ready_[index_of(ready.rank)] = ready.since;
  return proceed();
}

std::vector<Message> Coordinator::add(const Drifted& drifted) {
  (void)index_of(drifted.rank);
  if (!request_ || remeasuring_)
    return {};
  const bool none_has_measured = std::ranges::none_of(measurements_, has) &&
                                 std::ranges::none_of(ready_, has) && !asked_for_events_;
  if (choosing_ || !none_has_measured) { // soon after that
    drifted_ = true;
    return {};
  }
  if (drifted.orders != decisions_.size()) // it has not heard of the last choice
    return {};
  remeasuring_ = true;
  return std::vector<Message>(measurements_.size(), Remeasure{});
}

/// The orders, with what became known while they were made.
std::vector<Message> Coordinator::hand_out(std::vector<Message> orders) {
  remeasuring_ = false;
  if (std::exchange(drifted_, false))
    for (Message& order : orders)
      std::get<Order>(order).look_again = true;
  return orders;
}

std::vector<Message> Coordinator::proceed() {
  if (!request_ || choosing_ || !missing().empty())
    return {};
  const auto latest = std::ranges::max(ready_);
  ready_.assign(ready_.size(), std::nullopt);
  std::vector<Measurement> all;
  for (auto& m : measurements_)
    if (m)
      all.push_back(*std::exchange(m, std::nullopt));
  asked_for_events_ = latest.has_value();
  if (latest)
    return std::vector<Message>(measurements_.size(), EventsRequest{*latest});

  const bool changed = remeasuring_;
  if (background_ == nullptr)
    return hand_out(choose(std::move(all), changed));
  background_->start([this, changed, measured = std::move(all)]() mutable {
    try {
      orders_ = choose(std::move(measured), changed);
    } catch (const std::exception&) {
      failed_ = std::current_exception();
    }
  });
  choosing_ = true;
  return {};
}

std::vector<Message> Coordinator::take_orders() {
  if (!choosing_ || !background_->done())
    return {};
  choosing_ = false;
  if (failed_)
    std::rethrow_exception(std::exchange(failed_, nullptr));
  return hand_out(std::exchange(orders_, {}));
}

void Coordinator::settle() {
  if (choosing_)
    background_->wait();
  choosing_ = false;
}

std::vector<Message> Coordinator::choose(std::vector<Measurement> all, bool changed) {
  believe_leaders(all);
  all = comparable(std::move(all));
  begin_phase(all);
  if (changed)
    begin_level();
  const NodeProblem problem = assemble(all);
  judge(all, problem);
  decisions_.push_back(consider(all, problem));
  return orders(problem);
}

std::optional<Decision> Coordinator::consider_dependencies(const std::vector<Measurement>& all,
                                                           const NodeProblem& problem) {
  if (!needs_events(*request_, model_) || problem.computation_share < least_computation_share)
    return std::nullopt;
  try {
    return choose_by_dependencies(all, *request_, model_, budget_, decision_budget_);
  } catch (const Error&) { // of events that make no sense: the totals still may
    return std::nullopt;
  }
}

std::string Coordinator::assignment(const std::vector<Measurement>& all) {
  for (const Measurement& m : all)
    if (m.timeline && model::dependency::assigns_work(*m.timeline))
      return fmt::format(
          "rank {} gives work to whoever asks for it, so that with other gears others "
          "would do it, and no recording tells how long that takes",
          m.rank);
  return "";
}

Decision Coordinator::consider(const std::vector<Measurement>& all, const NodeProblem& problem) {
  if (given_up_.empty())
    given_up_ = assignment(all);
  // Events of any gears tell what all others would do: there is nothing to try.
  if (given_up_.empty() && !kept_)
    if (auto decision = consider_dependencies(all, problem))
      return *decision;
  if (keeps_account())
    spend(all);
  return kept_ ? *kept_ : consider_means(all, problem);
}

Decision Coordinator::consider_means(const std::vector<Measurement>& all,
                                     const NodeProblem& problem) {
  if (all_in_gear0(all))
    return decide(problem, given_up_);
  const auto baseline = gear0_.baseline(all);
  if (!baseline)
    return decide(problem, given_up_.empty() ? unknown_gear0_ : given_up_);
  if (given_up_.empty()) {
    const std::string reason = disappointment(all, *baseline);
    if (doubtful_)
      given_up_ = reason;
    doubtful_ = !reason.empty() && given_up_.empty();
  }
  Decision decision = decide(problem, given_up_, baseline);
  refer_to(*baseline, decision);
  return decision;
}

std::vector<Message> Coordinator::orders(const NodeProblem& problem) {
  const Decision& decision = decisions_.back();
  // What was only assumed is soon looked at: how a phase goes in gear 0, whether its first gears
  // do what was expected of them, whether gears that seem to harm really do.
  const bool by_means = decision.time_model == TimeModelKind::cluster;
  const bool tried = sets_a_gear(decision) || !by_means || !keeps_account();
  const bool look_again = (by_means && !gear0_.known()) ||
                          (tried && std::exchange(first_gears_, false)) || doubtful_ ||
                          surprises_ > 0;
  std::vector<Message> orders;
  std::vector<bool> led(problem.nodes.size(), false);
  for (const std::size_t node : problem.node_of_rank) {
    orders.emplace_back(
        Order{.gear = decision.gears[node], .set_it = !led[node], .look_again = look_again});
    led[node] = true;
  }
  return orders;
}

Decision Coordinator::decide(const NodeProblem& nodes, const std::string& objection,
                             const std::optional<model::Baseline>& in_gear0) {
  const model::Problem problem = model::table_problem(nodes.table);
  const double reference = in_gear0 ? in_gear0->time / problem.baseline().time : 1;
  Decision decision;
  decision.nodes = nodes.nodes;
  decision.gears.assign(nodes.nodes.size(), 0);
  decision.baseline = problem.baseline();
  select::Request request = *request_;
  decision.declined = nodes.computation_share < least_computation_share
                          ? "the ranks hardly compute in this loop"
                          : objection;
  if (keeps_account() && decision.declined.empty())
    decision.declined = tighten(request, reference);
  if (!decision.declined.empty()) {
    decision.prediction = model::predict(problem, decision.gears);
    return decision;
  }
  try {
    const select::Plan& plan = selector_.choose(problem, request);
    decision.gears = plan.gears;
    decision.prediction = plan.prediction;
    decision.exact = plan.certificate.kind == select::Certificate::Kind::exact;
    decision.gap = plan.certificate.gap;
  } catch (const Error& error) { // the program is not to blame, and runs on
    decision.declined = error.what();
    decision.prediction = model::predict(problem, decision.gears);
  }
  return decision;
}

} // namespace hypermile::runtime
