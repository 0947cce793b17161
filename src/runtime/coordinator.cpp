#include "runtime/coordinator.hpp"

#include "model/dependency/assignment.hpp"
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

/// Ranks whose iterations differ by more than this did not measure the same loop (an inner one
/// here, the outer one there): then their shares are comparable, their seconds are not.
constexpr double same_loop_tolerance = 0.2;

Seconds iteration_time(const Measurement& m) { return m.computation + m.communication; }

Seconds median_iteration_time(const std::vector<Measurement>& measurements) {
  std::vector<Seconds> times;
  for (const Measurement& m : measurements)
    times.push_back(iteration_time(m));
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

/// Every measurement as if of an iteration of the same length, where lengths differ.
std::vector<Measurement> comparable(std::vector<Measurement> measurements) {
  const Seconds typical = median_iteration_time(measurements);
  for (Measurement& m : measurements) {
    const double factor = typical / iteration_time(m);
    if (std::abs(factor - 1) <= same_loop_tolerance || !std::isfinite(factor))
      continue;
    m.computation = m.computation * factor;
    m.computation_in_gear0 = m.computation_in_gear0 * factor;
    m.communication = m.communication * factor;
    m.calls *= factor;
  }
  return measurements;
}

bool all_in_gear0(const std::vector<Measurement>& measurements) {
  return std::ranges::all_of(measurements, [](const auto& m) { return m.gear == 0; });
}

/// In other gears than 0 ranks wait longer or shorter than they would in gear 0. What does not
/// depend on gears is the least communication time; the rest is waiting for the slowest.
void restore_gear0_waiting(std::vector<Measurement>& measurements) {
  if (all_in_gear0(measurements))
    return;
  Seconds slowest;
  Seconds least = measurements[0].communication;
  for (const Measurement& m : measurements) {
    slowest = std::max(slowest, m.computation_in_gear0);
    least = std::min(least, m.communication);
  }
  for (Measurement& m : measurements)
    m.communication = slowest + least - m.computation_in_gear0;
}

/// Below this measured distance a choice is taken back for good, when it is so twice in a row:
/// once may be noise.
constexpr double worst_distance = 0.01;

struct NodeSum {
  const model::NodeType* type;
  Seconds slowest; ///< computation of its slowest rank in gear 0
  Seconds sum;     ///< of all its ranks
  Seconds least_communication;
};

/// A node computes as long as its slowest rank; each rank that computes adds its core's share
/// of the power between waiting and computing.
model::TableNode table_node(const NodeSum& node) {
  const model::NodeType& type = *node.type;
  std::vector<model::MeasuredGear> measured;
  for (model::Gear g = 0; g < type.gears.size(); ++g) {
    const double scale = type.gears.scale(g);
    const auto& power = type.power[g];
    const Watts per_core = (power.computing - power.waiting) / static_cast<double>(type.cores);
    measured.push_back({node.slowest * scale,
                        power.waiting * (node.slowest * scale) + per_core * (node.sum * scale),
                        power.waiting});
  }
  return {type.gears, std::move(measured), node.least_communication, 0};
}

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

} // namespace

NodeProblem assemble(const std::vector<Measurement>& measured) {
  auto measurements = comparable(measured);
  restore_gear0_waiting(measurements);
  NodeProblem problem;
  std::vector<NodeSum> sums;
  for (const Measurement& m : measurements) {
    const auto found = std::ranges::find(problem.nodes, m.node.name);
    const auto index = static_cast<std::size_t>(found - problem.nodes.begin());
    if (found == problem.nodes.end()) {
      problem.nodes.push_back(m.node.name);
      sums.push_back({&m.node.type, {}, {}, m.communication});
    }
    problem.node_of_rank.push_back(index);
    sums[index].slowest = std::max(sums[index].slowest, m.computation_in_gear0);
    sums[index].sum += m.computation_in_gear0;
    sums[index].least_communication = std::min(sums[index].least_communication, m.communication);
    const Seconds total = m.computation_in_gear0 + m.communication;
    if (total > Seconds{})
      problem.computation_share =
          std::max(problem.computation_share, m.computation_in_gear0 / total);
  }
  for (const NodeSum& sum : sums)
    problem.table.push_back(table_node(sum));
  return problem;
}

void Coordinator::begin_phase(const std::vector<Measurement>& all) {
  const std::size_t phase = std::ranges::max(all, {}, &Measurement::phase).phase;
  if (phase == phase_)
    return;
  phase_ = phase;
  gear0_.forget();
  given_up_.clear();
  doubtful_ = false;
  first_gears_ = true;
}

std::string Coordinator::disappointment(const std::vector<Measurement>& all,
                                        const model::Baseline& baseline) {
  const double distance = measured_distance(all, baseline);
  if (distance >= -worst_distance)
    return "";
  return fmt::format("measured after they were set, the gears cost more than they save (distance "
                     "{:.1f} points); the ranks wait for each other in ways that the model does "
                     "not know",
                     100 * distance);
}

Coordinator::Coordinator(std::optional<select::Request> request, std::size_t ranks, TimeModel model,
                         control::Background* background)
    : request_(std::move(request)), model_(std::move(model)), background_(background),
      pace_(model_.stopwatch, model_.think), measurements_(ranks), ready_(ranks) {}

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

  if (background_ == nullptr)
    return choose(std::move(all));
  background_->start([this, measured = std::move(all)]() mutable {
    try {
      orders_ = choose(std::move(measured));
    } catch (const std::exception& error) {
      failed_ = error.what();
    }
  });
  choosing_ = true;
  return {};
}

std::vector<Message> Coordinator::take_orders() {
  if (!choosing_ || !background_->done())
    return {};
  choosing_ = false;
  if (!failed_.empty())
    throw Error(ErrorKind::hardware, "no gears could be chosen: " + std::exchange(failed_, {}));
  return std::exchange(orders_, {});
}

void Coordinator::settle() {
  if (choosing_)
    background_->wait();
  choosing_ = false;
}

std::vector<Message> Coordinator::choose(std::vector<Measurement> all) {
  all = comparable(std::move(all));
  begin_phase(all);
  const NodeProblem problem = assemble(all);
  decisions_.push_back(consider(all, problem));
  return orders(problem);
}

std::optional<Decision> Coordinator::consider_dependencies(const std::vector<Measurement>& all,
                                                           const NodeProblem& problem) {
  if (!needs_events(*request_, model_) || problem.computation_share < least_computation_share)
    return std::nullopt;
  try {
    return choose_by_dependencies(all, *request_, model_, budget_, pace_);
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
  if (given_up_.empty())
    if (auto decision = consider_dependencies(all, problem))
      return *decision;
  if (all_in_gear0(all)) {
    gear0_.learn(all);
    return decide(problem, given_up_);
  }
  const auto baseline = gear0_.baseline(all);
  if (!baseline)
    return decide(problem, given_up_.empty() ? "the program went on with another loop, which is "
                                               "measured in gear 0 first"
                                             : given_up_);
  if (given_up_.empty()) {
    const std::string reason = disappointment(all, *baseline);
    if (doubtful_)
      given_up_ = reason;
    doubtful_ = !reason.empty() && given_up_.empty();
  }
  Decision decision = decide(problem, given_up_);
  refer_to(*baseline, decision);
  return decision;
}

std::vector<Message> Coordinator::orders(const NodeProblem& problem) {
  const Decision& decision = decisions_.back();
  // What was only assumed is soon looked at: how a phase goes in gear 0, whether its first gears
  // do what was expected of them, whether gears that seem to harm really do.
  const bool look_again = (decision.time_model == TimeModelKind::cluster && !gear0_.known()) ||
                          std::exchange(first_gears_, false) || doubtful_;
  std::vector<Message> orders;
  std::vector<bool> led(problem.nodes.size(), false);
  for (const std::size_t node : problem.node_of_rank) {
    orders.emplace_back(
        Order{.gear = decision.gears[node], .set_it = !led[node], .look_again = look_again});
    led[node] = true;
  }
  return orders;
}

Decision Coordinator::decide(const NodeProblem& nodes, const std::string& objection) {
  const model::Problem problem = model::table_problem(nodes.table);
  Decision decision;
  decision.nodes = nodes.nodes;
  decision.gears.assign(nodes.nodes.size(), 0);
  decision.baseline = problem.baseline();
  decision.declined = nodes.computation_share < least_computation_share
                          ? "the ranks hardly compute in this loop"
                          : objection;
  if (!decision.declined.empty()) {
    decision.prediction = model::predict(problem, decision.gears);
    return decision;
  }
  try {
    const select::Plan& plan = selector_.choose(problem, *request_);
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
