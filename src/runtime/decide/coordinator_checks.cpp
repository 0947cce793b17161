// What came of the gears that were chosen, and what follows from that.

#include "runtime/decide/coordinator.hpp"

#include "select/dependency_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hypermile::runtime {
namespace {

/// What is measured may exceed what was predicted by this, besides three standard errors.
constexpr double tolerated_excess = 0.02;

/// Below this measured distance a choice is taken back for good, when it is so twice in a row:
/// once may be noise.
constexpr double worst_distance = 0.01;

} // namespace

void Coordinator::begin_phase(const std::vector<Measurement>& all) {
  const std::size_t phase = std::ranges::max(all, {}, &Measurement::phase).phase;
  if (phase == phase_)
    return;
  phase_ = phase;
  begin_level();
  gear0_.forget();
  unknown_gear0_ = "the program went on with another loop, which is measured in gear 0 first";
}

/// Choices by the means need to know gear 0 only where they have a bound to keep.
void Coordinator::begin_level() {
  if (keeps_account()) {
    gear0_.forget();
    unknown_gear0_ = "the iterations have changed, and are measured in gear 0 first";
  }
  gear0_ratio_.forget();
  surprises_ = 0;
  good_.reset();
  kept_.reset();
  accepted_ = 0;
  bias_ = {};
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

void Coordinator::believe_leaders(std::vector<Measurement>& all) const {
  if (decisions_.empty())
    return;
  const Decision& last = decisions_.back();
  for (std::size_t node = 0; node < last.nodes.size(); ++node) {
    const auto on_node = [&](const Measurement& m) { return m.node.name == last.nodes[node]; };
    const auto leader = std::ranges::find_if(all, on_node);
    if (leader == all.end() || leader->gear == last.gears[node])
      continue;
    for (auto m = std::next(leader); m != all.end(); ++m)
      if (on_node(*m) && m->gear == last.gears[node]) {
        m->gear = leader->gear;
        const double scale = m->node.type.gears.scale(m->gear);
        m->computation_in_gear0 = m->computation / scale;
        if (m->timeline)
          m->timeline->scale = scale;
      }
  }
}

bool Coordinator::in_effect(const std::vector<Measurement>& all, const NodeProblem& problem) const {
  if (decisions_.empty() || decisions_.back().nodes != problem.nodes)
    return false;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].gear != decisions_.back().gears[problem.node_of_rank[r]])
      return false;
  return true;
}

void Coordinator::judge(const std::vector<Measurement>& all, const NodeProblem& problem) {
  if (all_in_gear0(all)) {
    gear0_ratio_.learn(all);
    gear0_.learn(all);
  }
  if (!in_effect(all, problem)) {
    budget_.expect(std::nullopt); // nobody has tried what it said
    return;
  }
  Decision& last = decisions_.back();
  last.measured_time_ratio = gear0_ratio_.tellable_time_ratio(all);
  const auto time_ratio = gear0_ratio_.time_ratio(all);
  if (!time_ratio || !sets_a_gear(last))
    return;
  if (last.time_model == TimeModelKind::dependency)
    notice_surprise(all, *time_ratio);
  else
    bias_.learn(*time_ratio - predicted_time_ratio(last), gear0_ratio_.error(all));
}

void Coordinator::notice_surprise(const std::vector<Measurement>& all, double time_ratio) {
  const Decision& last = decisions_.back();
  const double expected = std::max({predicted_time_ratio(last), budget_.expected(), accepted_});
  if (time_ratio - expected <= tolerated_excess + 3 * gear0_ratio_.error(all)) {
    surprises_ = 0;
    good_ = last;
    return;
  }
  budget_.correct(time_ratio - 1);
  if (++surprises_ > 1)
    step_back(all, time_ratio);
}

/// To the last gears that did what was predicted of them. Where there are none, to gear 0, unless
/// the present ones are, as measured, worth having.
void Coordinator::step_back(const std::vector<Measurement>& all, double time_ratio) {
  const Decision& last = decisions_.back();
  const std::string why = fmt::format(
      "measured after they were set, iterations took {:.1f} % longer than in gear 0, where {:.1f} "
      "% were predicted; who does what depends on the gears, or the ranks wait for each other in "
      "ways that the model does not know",
      100 * (time_ratio - 1), 100 * (predicted_time_ratio(last) - 1));
  const bool bounded = request_->constraints.max_slowdown.has_value();
  const auto baseline = gear0_.baseline(all);
  const bool worth_it = baseline && measured_distance(all, *baseline) > worst_distance;
  surprises_ = 0;
  budget_.expect(std::nullopt);
  if (!kept_ && good_ && good_->gears != last.gears) {
    kept_ = good_;
  } else if (!kept_ && worth_it && !bounded) {
    kept_ = last;
    accepted_ = time_ratio;
  } else {
    kept_.reset();
    given_up_ = why;
  }
  if (kept_) {
    kept_->stepped_back = why;
    kept_->measured_time_ratio.reset();
  }
}

bool Coordinator::keeps_account() const {
  return select::row_of(request_->method).keeps_bounds && request_->constraints.max_slowdown;
}

void Coordinator::spend(const std::vector<Measurement>& all) {
  const Seconds elapsed = std::ranges::max(all, {}, &Measurement::elapsed).elapsed;
  const bool in_gear0 = all_in_gear0(all) || decisions_.empty();
  const double otherwise = in_gear0 ? 1 : predicted_time_ratio(decisions_.back()) + bias_.value();
  budget_.spend(elapsed, gear0_ratio_.time_ratio(all).value_or(otherwise) - 1);
}

void Coordinator::conclude(const std::vector<RankReport>& ranks) {
  std::vector<Measurement> all;
  for (const RankReport& rank : ranks) {
    const auto& last = rank.last;
    if (!last || last->phase != phase_ || rank.changes.size() != decisions_.size())
      return;
    all.push_back(
        {.rank = rank.rank,
         .node = rank.node,
         .phase = last->phase,
         .gear = rank.gear,
         .computation = last->computation,
         .computation_in_gear0 = last->computation / rank.node.type.gears.scale(rank.gear),
         .communication = last->communication,
         .calls = last->calls});
  }
  all = comparable(std::move(all));
  if (in_effect(all, assemble(all)))
    decisions_.back().measured_time_ratio = gear0_ratio_.tellable_time_ratio(all);
}

std::string Coordinator::tighten(select::Request& request, double reference) {
  double& bound = *request.constraints.max_slowdown;
  const double unsure = select::normal_quantile(model_.confidence) * gear0_ratio_.reference_error();
  const double left = budget_.aim(bound);
  const double bias = bias_.value();
  bound = (1 + left - bias - unsure) * reference - 1;
  if (bound >= 0)
    return "";
  bias_.relax();
  return fmt::format("the bound on slowdown leaves no room: {:.1f} % are left of it, {:.1f} % more "
                     "were measured than predicted, and gear 0 is known to {:.1f} %",
                     100 * left, 100 * bias, 100 * unsure);
}

} // namespace hypermile::runtime
