#include "runtime/decide/uncoupled_policy.hpp"

#include "model/dependency/timing.hpp"
#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/learnt.hpp"
#include "select/methods.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hypermile::runtime {
namespace {

const std::string& part_of(const Measurement& m, TimeModelKind kind) {
  static const std::string all;
  if (kind == TimeModelKind::hybrid)
    return m.node.type.site;
  return kind == TimeModelKind::async ? m.node.name : all;
}

/// One rank's share of its node, of the power of a core computing or waiting.
Joules energy(const Measurement& m) {
  const auto& power = m.node.type.power[m.gear];
  return (power.computing * m.computation + power.waiting * m.communication) /
         static_cast<double>(m.node.type.cores);
}

} // namespace

std::size_t site_count(const std::vector<Measurement>& all) {
  std::set<std::string> sites;
  for (const Measurement& m : all)
    sites.insert(m.node.type.site);
  return sites == std::set<std::string>{""} ? 0 : sites.size();
}

Parts parts_of(const std::vector<Measurement>& all, TimeModelKind kind) {
  Parts parts;
  std::map<std::string, std::size_t> numbers;
  for (const Measurement& m : all) {
    const auto [number, is_new] = numbers.try_emplace(part_of(m, kind), numbers.size());
    if (is_new)
      parts.measurements.emplace_back();
    parts.measurements[number->second].push_back(m);
  }
  std::vector<NodeProblem> problems;
  for (auto& measured : parts.measurements) {
    measured = comparable(std::move(measured));
    problems.push_back(assemble(measured));
  }
  NodeProblem& nodes = parts.nodes;
  for (const Measurement& m : all) {
    const auto known = std::ranges::find(nodes.nodes, m.node.name);
    nodes.node_of_rank.push_back(static_cast<std::size_t>(known - nodes.nodes.begin()));
    if (known != nodes.nodes.end())
      continue;
    const std::size_t part = numbers.at(part_of(m, kind));
    const NodeProblem& problem = problems[part];
    const auto in_part = std::ranges::find(problem.nodes, m.node.name) - problem.nodes.begin();
    nodes.nodes.push_back(m.node.name);
    nodes.table.push_back(problem.table[static_cast<std::size_t>(in_part)]);
    nodes.table.back().cluster = part;
  }
  for (const NodeProblem& problem : problems)
    nodes.computation_share = std::max(nodes.computation_share, problem.computation_share);
  return parts;
}

UncoupledPolicy::UncoupledPolicy(const select::Request& request, const TimeModel& model)
    : request_(request), asked_(model.kind),
      tests_(model::dependency::tests_among(model.functions)) {}

void UncoupledPolicy::forget() {
  first_ = true;
  gear0_.reset();
  doubtful_ = false;
  given_up_.clear();
}

bool UncoupledPolicy::takes(const std::vector<Measurement>& all) {
  if (is_uncoupled(asked_))
    return true;
  found_timing_ = found_timing_ || std::ranges::any_of(all, [this](const Measurement& m) {
                    return m.timeline &&
                           model::dependency::depends_on_timing(*m.timeline, m.iterations, tests_);
                  });
  // How long the run takes depends on how many iterations it needs: no bound can be kept.
  return found_timing_ && asked_ == TimeModelKind::automatic && request_.constraints.none() &&
         site_count(all) > 1;
}

/// With all nodes in one cluster, hybrid is the cluster model.
TimeModelKind UncoupledPolicy::kind_of(const std::vector<Measurement>& all) const {
  if (asked_ == TimeModelKind::async)
    return TimeModelKind::async;
  return site_count(all) > 1 ? TimeModelKind::hybrid : TimeModelKind::cluster;
}

UncoupledPolicy::Iteration UncoupledPolicy::iteration(const std::vector<Measurement>& all) const {
  Iteration mean;
  const auto parts = parts_of(all, kind_of(all)).measurements;
  for (const auto& part : parts) {
    mean.time += longest_iteration(part) / static_cast<double>(parts.size());
    for (const Measurement& m : part)
      mean.energy += energy(m);
  }
  return mean;
}

std::optional<double> UncoupledPolicy::learn(const std::vector<Measurement>& all) {
  doubtful_ = doubtful_ && !all_in_gear0(all);
  if (too_little_to_judge(all))
    return std::nullopt;
  if (all_in_gear0(all)) {
    gear0_ = iteration(all);
    return std::nullopt;
  }
  if (!gear0_ || gear0_->time <= Seconds{} || gear0_->energy <= Joules{})
    return std::nullopt;
  const Iteration now = iteration(all);
  const double distance = gear0_->time / now.time - now.energy / gear0_->energy;
  const bool disappoints = distance < -worst_distance;
  if (disappoints && doubtful_)
    given_up_ = fmt::format("measured after they were set, the gears cost more than they save in "
                            "an iteration (distance {:.1f} points)",
                            100 * distance);
  doubtful_ = disappoints && given_up_.empty();
  return now.time / gear0_->time;
}

Decision UncoupledPolicy::choose(const std::vector<Measurement>& all) {
  const TimeModelKind kind = kind_of(all);
  const Parts parts = parts_of(all, kind);
  Decision decision;
  decision.time_model = kind;
  decision.nodes = parts.nodes.nodes;
  decision.gears.assign(decision.nodes.size(), 0);
  decision.declined = parts.nodes.computation_share < least_computation_share
                          ? "the ranks hardly compute in this loop"
                          : given_up_;
  plan(parts, decision);
  first_ = false;
  return decision;
}

void UncoupledPolicy::plan(const Parts& parts, Decision& decision) {
  // Algorithm 8 is for the hybrid model, and right for it where there is one cluster, too.
  const bool alone = decision.time_model == TimeModelKind::async;
  const model::Problem problem = model::uncoupled_problem(
      parts.nodes.table, alone ? model::ModelKind::async : model::ModelKind::hybrid);
  decision.baseline = problem.baseline();
  if (decision.declined.empty())
    try {
      const select::Plan& plan = selector_.choose(problem, request_);
      decision.gears = plan.gears;
      decision.exact = plan.certificate.kind == select::Certificate::Kind::exact;
      decision.gap = plan.certificate.gap;
    } catch (const Error& error) { // the program is not to blame, and runs on
      decision.declined = error.what();
    }
  decision.prediction = model::predict(problem, decision.gears);
}

} // namespace hypermile::runtime
