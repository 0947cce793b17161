#include "simulate/extrapolation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::simulate {
namespace {

using application::ExtrapolatedSteps;

/// The same runs, without what is kept of them. Gears that were planned are given, as the last.
Experiment shorter(const Experiment& asked, const Simulation& simulation,
                   const ExtrapolatedSteps& steps, std::uint64_t by) {
  Experiment experiment = asked;
  experiment.fewer_steps = {.count = steps.count, .simulated = steps.simulated, .by = by};
  experiment.report_folder.clear();
  experiment.record_to.clear();
  if (std::erase(experiment.methods, planned_method) > 0)
    experiment.gears.push_back({.gears = simulation.planned->gears, .origin = planned_method});
  return experiment;
}

using Runs = std::vector<const SimulatedRun*>;

/// In the order of the runs that were not shortened.
Runs runs_like(const Simulation& whole, const Simulation& shortened) {
  Runs runs;
  std::size_t next = 0;
  for (const SimulatedRun& run : whole.runs)
    runs.push_back(run.method == planned_method ? &shortened.runs.back()
                                                : &shortened.runs.at(next++));
  return runs;
}

/// By how much `last` is more than `before`, as a part of it.
double growth(double last, double before) { return last == before ? 0 : last / before - 1; }

/// A rank that computes for longer in what `fewer` has not than that takes.
std::optional<std::size_t> lagging_rank(const SimulatedRun& run, const SimulatedRun& fewer,
                                        Seconds takes) {
  constexpr double rounding = 1e-3;
  std::optional<std::size_t> lagging;
  Seconds most = takes * (1 + rounding);
  for (std::size_t r = 0; r < run.report.ranks.size(); ++r) {
    const Seconds computes = run.report.ranks[r].computation - fewer.report.ranks.at(r).computation;
    if (computes > most) {
      most = computes;
      lagging = r;
    }
  }
  return lagging;
}

/// What steps that were not run would have added.
void add_rest(SimulatedRun& run, const ExtrapolatedSteps& steps, const SimulatedRun& fewer,
              const SimulatedRun& fewest) {
  SimulatedPart& part = *run.part;
  const Seconds time = part.time - fewer.time;
  const Joules energy = part.energy - fewer.energy;
  const double times =
      static_cast<double>(steps.count - steps.simulated) / static_cast<double>(steps.compared());
  run.time += time * times;
  run.energy += energy * times;
  for (const double unsettled : {growth(time.value(), (fewer.time - fewest.time).value()),
                                 growth(energy.value(), (fewer.energy - fewest.energy).value())})
    if (std::abs(unsettled) > std::abs(part.unsettled))
      part.unsettled = unsettled;
  if (!part.lagging_rank)
    part.lagging_rank = lagging_rank(run, fewer, time);
}

/// How many times as much the whole run takes as its part.
struct WholeToPart {
  explicit WholeToPart(const SimulatedRun& run)
      : time(run.part->time > Seconds{} ? run.time / run.part->time : 1),
        energy(run.part->energy > Joules{} ? run.energy / run.part->energy : 1) {}
  double time;
  double energy;
};

/// What models expect is as far off in the whole as in the part that they know.
void extrapolate_expected(Simulation& simulation) {
  for (SimulatedRun& run : simulation.runs)
    for (std::optional<Expectation>* expected : {&run.expected, &run.forecast})
      if (*expected)
        **expected = {(*expected)->time * WholeToPart(run).time,
                      (*expected)->energy * WholeToPart(run).energy};
  if (!simulation.planned)
    return;
  const auto found = std::ranges::find(simulation.runs, planned_method, &SimulatedRun::method);
  const WholeToPart unscaled(simulation.runs.front());
  const WholeToPart planned = found == simulation.runs.end() ? unscaled : WholeToPart(*found);
  auto& [gears, expected, baseline, time_model, repetitions, not_repeated] = *simulation.planned;
  expected = {expected.time * planned.time, expected.energy * planned.energy};
  baseline = {baseline.time * unscaled.time, baseline.energy * unscaled.energy};
}

} // namespace

void extrapolate(Simulation& simulation, const Experiment& experiment, const Listener& listener,
                 const RunShorter& run_shorter) {
  if (!simulation.model || simulation.model->extrapolated.empty())
    return;
  for (SimulatedRun& run : simulation.runs)
    run.part = SimulatedPart{.time = run.time, .energy = run.energy};
  for (const ExtrapolatedSteps& steps : simulation.model->extrapolated) {
    std::vector<Simulation> shortened;
    for (const std::uint64_t times : {1U, 2U}) {
      const std::uint64_t by = times * steps.compared();
      listener.step(fmt::format("once more with {} steps of line {}, to find what a step takes",
                                steps.simulated - by, steps.line));
      shortened.push_back(run_shorter(shorter(experiment, simulation, steps, by)));
    }
    const Runs fewer = runs_like(simulation, shortened[0]);
    const Runs fewest = runs_like(simulation, shortened[1]);
    for (std::size_t r = 0; r < simulation.runs.size(); ++r)
      add_rest(simulation.runs[r], steps, *fewer[r], *fewest[r]);
  }
  extrapolate_expected(simulation);
}

} // namespace hypermile::simulate
