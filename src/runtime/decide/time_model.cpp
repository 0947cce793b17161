#include "runtime/decide/time_model.hpp"

#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/expected_loop.hpp"
#include "runtime/decide/recorded_window.hpp"
#include "select/dependency_search.hpp"
#include "select/score.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hypermile::runtime {
namespace {

namespace dependency = model::dependency;

/// What a core does at the least; a choice takes about as long as it may.
constexpr double steps_per_second = 1e8;

using NamedModel = std::pair<const char*, TimeModelKind>;
constexpr std::array<NamedModel, 5> time_models{{{"auto", TimeModelKind::automatic},
                                                 {"cluster", TimeModelKind::cluster},
                                                 {"dependency", TimeModelKind::dependency},
                                                 {"hybrid", TimeModelKind::hybrid},
                                                 {"async", TimeModelKind::async}}};

struct Machines {
  std::vector<std::string> names;
  std::vector<dependency::Node> nodes;
};

Machines machines_of(const std::vector<Measurement>& measurements) {
  Machines machines;
  for (const Measurement& m : measurements) {
    const auto found = std::ranges::find(machines.names, m.node.name);
    const auto index = static_cast<std::size_t>(found - machines.names.begin());
    if (found == machines.names.end()) {
      machines.names.push_back(m.node.name);
      machines.nodes.push_back({m.node.type, {}});
    }
    machines.nodes[index].ranks.push_back(static_cast<std::uint32_t>(m.rank));
  }
  return machines;
}

/// The prediction is of what was recorded; a decision is of one iteration, which is this share.
void refer_to_iteration(double share, select::Objective objective, Decision& decision) {
  decision.baseline = {decision.baseline.time * share, decision.baseline.energy * share};
  decision.prediction.time = decision.prediction.time * share;
  decision.prediction.energy = decision.prediction.energy * share;
  if (decision.gap)
    decision.gap = *decision.gap * std::pow(share, select::row_of(objective).power_of_length);
}

/// What a choice may take in all, counted in passes over the timeline.
double passes_in(Seconds time, const dependency::Dependencies& dependencies) {
  return time.value() * steps_per_second /
         static_cast<double>(std::max<std::size_t>(1, dependencies.step_count()));
}

select::SearchLimits limits_of(Seconds think, double passes,
                               const DecisionBudget& decision_budget) {
  select::SearchLimits limits;
  limits.most_evaluations = static_cast<std::size_t>(std::clamp(passes, 100.0, 1e6));
  limits.most_boxes = static_cast<std::size_t>(std::clamp(think.value() * 1e5, 100.0, 1e6));
  if (decision_budget.limited())
    limits.out_of_time = [&decision_budget] { return decision_budget.left() <= Seconds{}; };
  return limits;
}

/// Of many ranks a pass takes long, and yet a search needs some of them to get anywhere: as many
/// where nobody waits for it.
constexpr double least_passes = 3000;

/// Of the time so far, about: SlowdownBudget::allowed() is for as long.
constexpr double until_next_choice = 0.5;

/// How many of each resample's passes a search of gears may take.
constexpr double resamples_per_pass = 1.0 / 32;

/// Whether so few iterations of some rank are known.
bool are_few(const std::vector<Measurement>& measurements, std::size_t few) {
  return std::ranges::any_of(measurements,
                             [few](const Measurement& m) { return m.computations.size() <= few; });
}

/// A loop of which few iterations are known takes a wider margin: what these were like is not sure
/// either.
double confidence_of(const std::vector<Measurement>& measurements, double confidence) {
  constexpr std::size_t few = 2;
  constexpr double wider = 0.9938; // 2.5 standard deviations
  return are_few(measurements, few) ? std::max(confidence, wider) : confidence;
}

struct Recorded {
  const std::vector<Measurement>& measurements;
  const ExpectedLoop& loop;
  const dependency::Predictor& predictor;
  std::size_t events;
  const std::vector<double>& excess; ///< by node
  double bias;                       ///< see Clocked
  std::span<const model::Gear> by_node_before{};
  std::span<const model::Gear> present{};
};

std::vector<double> by_node(const std::map<std::string, double>& excess, const Machines& machines) {
  std::vector<double> of_nodes;
  for (const dependency::Node& node : machines.nodes) {
    const auto known = excess.find(node.type.name);
    of_nodes.push_back(known == excess.end() ? 0 : known->second);
  }
  return of_nodes;
}

/// What the model has to predict, so that it comes to this.
double predicted(double slowdown, const Recorded& recorded) {
  return std::max((1 + slowdown) / recorded.bias - 1, 0.0);
}

select::DependencyPlan search(const Recorded& recorded, select::Request request,
                              const TimeModel& model, const SlowdownBudget& budget,
                              DecisionBudget& decision_budget) {
  const double affordable = passes_in(decision_budget.left(), recorded.loop.dependencies());
  const double passes =
      (decision_budget.limited() ? affordable : std::max(affordable, least_passes)) / 2;
  const auto resamples =
      static_cast<std::size_t>(std::clamp(passes * resamples_per_pass, 4.0, 16.0));
  const auto noise = recorded.loop.noise(resamples, request.constraints.max_slowdown.has_value());
  const select::SearchLimits limits =
      limits_of(model.think, noise ? passes : 2 * passes, decision_budget);
  std::optional<double> allowed;
  if (auto& bound = request.constraints.max_slowdown) {
    allowed = predicted(budget.allowed(*bound), recorded);
    bound = predicted(budget.aim(*bound), recorded);
  }
  decision_budget.built(recorded.events);
  if (!noise)
    return select::choose(recorded.predictor, request, limits);
  return select::choose(
      recorded.predictor, request,
      {.noise = noise->of_recorded,
       .probability = confidence_of(recorded.measurements, model.confidence),
       .max_slowdown = allowed,
       .noise_left = noise->left_after(elapsed_of(recorded.measurements) * until_next_choice),
       .surprise = budget.surprise(),
       .excess = recorded.excess,
       .by_node_before = recorded.by_node_before,
       .present = recorded.present},
      limits);
}

/// What telling of other bounds may take: the program waits for it in MPI_Finalize.
Seconds time_for_bounds(Seconds elapsed) {
  constexpr double share = 0.005;
  constexpr Seconds least{0.005};
  constexpr Seconds most{0.05};
  return std::clamp(elapsed * share, least, most);
}

/// Caps on power come before a bound on slowdown.
select::DependencyPlan search_under_caps(const Recorded& recorded, const select::Request& request,
                                         const TimeModel& model, const SlowdownBudget& budget,
                                         DecisionBudget& decision_budget, Decision& decision) {
  select::DependencyPlan chosen = search(recorded, request, model, budget, decision_budget);
  const auto fastest = fastest_under_caps(request);
  if (!fastest || chosen.plan.feasible())
    return chosen;
  chosen = search(recorded, *fastest, model, budget, decision_budget);
  if (!chosen.plan.feasible()) { // a search for the least time may find none in time
    select::Request any = request;
    any.constraints.max_slowdown.reset();
    chosen = search(recorded, any, model, budget, decision_budget);
  }
  tell_given_up(chosen.plan, request, decision);
  return chosen;
}

/// What these gears make of what was recorded, whatever is expected of it.
model::Prediction as_recorded(const std::vector<model::Gear>& gears, const Recorded& recorded) {
  std::vector<double> scales;
  recorded.predictor.scales(gears, scales);
  const model::Baseline& baseline = recorded.predictor.baseline();
  const Seconds time = baseline.time * (1 + recorded.loop.slowdown_with(scales));
  return model::normalised(baseline, time, recorded.predictor.energy(gears, time));
}

/// Takes the gears of a loop inside in place of those that were chosen, where they are better: for
/// want of iterations the choice assumes more noise than there is, and ranks that are more alike.
void keep_inherited(const std::vector<model::Gear>& gears, const Recorded& recorded,
                    select::Request request, const SlowdownBudget& budget,
                    select::DependencyPlan& chosen) {
  constexpr std::size_t few = 3;
  auto& bound = request.constraints.max_slowdown;
  const dependency::Predictor& predictor = recorded.predictor;
  if (!bound || gears.size() != predictor.node_count() || !chosen.plan.feasible() ||
      !are_few(recorded.measurements, few))
    return;
  bound = predicted(budget.aim(*bound), recorded);
  const model::Prediction inherited = as_recorded(gears, recorded);
  Watts peak;
  for (std::size_t node = 0; node < gears.size(); ++node)
    peak += predictor.peak(node, gears[node]);
  const select::Score score(predictor.baseline(), request);
  const model::Prediction& other = chosen.plan.prediction;
  if (score.feasible_score(inherited.time, inherited.energy, peak) >=
      score(other.time, other.energy))
    return;
  chosen.plan.gears = gears;
  chosen.plan.prediction = inherited;
  chosen.plan.certificate = {};
  chosen.spread.reset();
}

} // namespace

Seconds elapsed_of(const std::vector<Measurement>& measurements) {
  return std::ranges::max_element(measurements, {}, &Measurement::elapsed)->elapsed;
}

Seconds own_time_of(const std::vector<Measurement>& measurements) {
  return std::ranges::max_element(measurements, {}, &Measurement::own)->own;
}

std::optional<TimeModelKind> time_model_named(const std::string& name) {
  const auto found = std::ranges::find(time_models, name, &NamedModel::first);
  return found == time_models.end() ? std::nullopt : std::optional(found->second);
}

std::string name_of(TimeModelKind kind) {
  return std::ranges::find(time_models, kind, &NamedModel::second)->first;
}

std::optional<select::Request> fastest_under_caps(const select::Request& request) {
  if (!request.constraints.average_power_cap && !request.constraints.peak_power_cap)
    return std::nullopt;
  select::Request fastest = request;
  fastest.objective = select::Objective::time;
  fastest.weight.reset();
  fastest.constraints.max_slowdown.reset();
  return fastest;
}

const select::Plan& tell_given_up(const select::Plan& plan, const select::Request& asked,
                                  Decision& decision) {
  const auto& bound = asked.constraints.max_slowdown;
  if (bound && plan.prediction.p_norm * (1 + *bound) < 1)
    decision.violated.emplace_back(bound_given_up);
  if (!plan.feasible())
    decision.violated.emplace_back(cap_given_up);
  return plan;
}

model::ModelKind problem_of(TimeModelKind kind) {
  if (kind == TimeModelKind::hybrid)
    return model::ModelKind::hybrid;
  return kind == TimeModelKind::async ? model::ModelKind::async : model::ModelKind::table;
}

bool is_uncoupled(const RunReport& run) {
  return std::ranges::any_of(
      run.decisions, [](const Decision& decision) { return is_uncoupled(decision.time_model); });
}

bool needs_events(const select::Request& request, const TimeModel& model) {
  return (model.kind == TimeModelKind::automatic || model.kind == TimeModelKind::dependency) &&
         select::row_of(request.method).knows_dependencies;
}

std::optional<DependencyChoice>
choose_by_dependencies(const std::vector<Measurement>& measurements, const select::Request& request,
                       const TimeModel& model, SlowdownBudget& budget,
                       DecisionBudget& decision_budget, const KnownBefore& known) {
  const Clocked& clocked = known.clocked;
  const Seconds elapsed = elapsed_of(measurements);
  decision_budget.build();
  const auto window = recorded_window(measurements, model.functions, decision_budget);
  if (!window)
    return std::nullopt;
  const ExpectedLoop loop(measurements, window->timeline, window->begin, model.assumed);
  const Machines machines = machines_of(measurements);
  const dependency::Predictor predictor(loop.dependencies(), machines.nodes);

  budget.spend(elapsed, clocked.time_ratio ? *clocked.time_ratio - 1 : loop.slowdown(),
               own_time_of(measurements), clocked.error);
  const auto excess_of_nodes = by_node(known.excess, machines);
  DependencyChoice choice;
  choice.slowdown = loop.slowdown();
  Decision& decision = choice.decision;
  const Recorded recorded{
      measurements,    loop,         predictor,     event_count(window->timeline),
      excess_of_nodes, clocked.bias, known.by_node, known.present};
  auto chosen = search_under_caps(recorded, request, model, budget, decision_budget, decision);
  keep_inherited(known.inherited, recorded, request, budget, chosen);
  if (known.left.size() == machines.nodes.size())
    choice.left = as_recorded(known.left, recorded);
  budget.expect(chosen.spread);
  decision.time_model = TimeModelKind::dependency;
  decision.nodes = machines.names;
  decision.gears = chosen.plan.gears;
  choice.by_node = chosen.by_node;
  decision.baseline = predictor.baseline();
  decision.prediction = chosen.plan.prediction;
  decision.exact = chosen.plan.certificate.kind == select::Certificate::Kind::exact;
  decision.gap = chosen.plan.certificate.gap;
  const Seconds iteration = loop.iteration().value_or(longest_iteration(measurements));
  const double share = iteration / loop.recorded();
  refer_to_iteration(share, request.objective, decision);
  return choice;
}

std::vector<std::optional<model::Prediction>>
predict_by_dependencies(const std::vector<Measurement>& measurements,
                        const select::Request& request, const TimeModel& model,
                        const SlowdownBudget& budget, const std::map<std::string, double>& excess,
                        double bias, std::span<const std::optional<double>> bounds) {
  auto building =
      DecisionBudget::all_of(model.stopwatch, time_for_bounds(elapsed_of(measurements)));
  const auto window = recorded_window(measurements, model.functions, building);
  if (!window)
    return {};
  const ExpectedLoop loop(measurements, window->timeline, window->begin, model.assumed);
  const Machines machines = machines_of(measurements);
  const dependency::Predictor predictor(loop.dependencies(), machines.nodes);
  const auto excess_of_nodes = by_node(excess, machines);
  const Recorded recorded{measurements,    loop, predictor, event_count(window->timeline),
                          excess_of_nodes, bias};
  TimeModel quick = model;
  std::vector<std::optional<model::Prediction>> predictions;
  for (const auto& bound : bounds) {
    select::Request asked = request;
    asked.constraints.max_slowdown = bound;
    quick.think = building.left() / static_cast<double>(bounds.size() - predictions.size());
    auto searching = DecisionBudget::all_of(model.stopwatch, quick.think);
    Decision decision{};
    const auto chosen = search_under_caps(recorded, asked, quick, budget, searching, decision);
    predictions.push_back(decision.violated.empty() ? std::optional(chosen.plan.prediction)
                                                    : std::nullopt);
  }
  return predictions;
}

} // namespace hypermile::runtime
