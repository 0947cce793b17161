// What a rank tells rank 0 of its loop.

#include "runtime/apply/rank_controller.hpp"

#include "runtime/exchange/timeline_message.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hypermile::runtime {
namespace {

/// Computation of so many iterations is told, and the events of so many at least.
constexpr std::size_t most_computations = 16;
constexpr std::size_t few_iterations = 8;
/// Of many ranks so many tell enough, as what they compute is pooled; one that is told in part too.
constexpr double enough_of_many_ranks = 3.5;
/// Fewer say less than the means of all.
constexpr double least_of_iterations = 1.5;

/// Events that all ranks together can always send; each rank, where there are few.
constexpr double least_together = 8192;
constexpr double least_of_few = 256;

/// Each can send few events only.
bool are_many(std::size_t ranks) {
  return least_together / static_cast<double>(ranks) < least_of_few;
}

/// Events that a rank sends for one choice: such that all ranks' together take no more than this
/// share of the time so far, or 0.3 ms, on a link of 1 Gbit/s, while the program sends its own. Of
/// many ranks each sends as many as are `enough`, though.
std::size_t most_events(Seconds elapsed, std::size_t ranks, double enough) {
  constexpr double share = 0.002;
  constexpr double most = 32'768;
  const double bytes = share * slow_link.value() * elapsed.value() / static_cast<double>(ranks);
  const double at_first =
      std::max(std::min(enough, least_of_few), least_together / static_cast<double>(ranks));
  return static_cast<std::size_t>(std::clamp(bytes / bytes_per_event, at_first, most));
}

} // namespace

Measurement RankController::measurement() const {
  const Span mean = watch_.mean_iteration();
  Measurement m{.rank = rank_,
                .node = node_,
                .phase = watch_.phase(),
                .gear = ports_.actuator.gear(),
                .computation = mean.computation,
                .computation_in_gear0 = stretched(mean.computation_in_gear0),
                .communication = mean.communication,
                .calls = watch_.mean_calls(),
                .elapsed = ports_.clock.now() - start_,
                .own = own_time(),
                .spent = caps_power_ ? std::optional(spent()) : std::nullopt,
                .deviation = keeps_bound_ ? watch_.deviation() : Seconds{},
                .orders = changes_.size(),
                .loop = watch_.takeovers(),
                .measured_iterations = keeps_bound_ || watch_.measured_iterations() == 0
                                           ? watch_.measured_iterations()
                                           : watch_.iterations(),
                .stolen = share_stolen(watch_.measured_since()),
                .computed = computed(),
                .timeline = std::nullopt};
  add_computations(m);
  return m;
}

/// By the power table, as the report does it; and by the meter.
Spent RankController::spent() const {
  const model::NodeType& type = node_.type;
  const model::GearPower& power = type.power[std::min(gear_of_stage_, type.power.size() - 1)];
  const Watts per_core = (power.computing - power.waiting) / static_cast<double>(type.cores);
  return {.computing = spent_by_stage_.computing +
                       per_core * (total_.computation - computation_before_stage_),
          .waiting = spent_by_stage_.waiting + power.waiting * (ports_.clock.now() - stage_),
          .metered = energy()};
}

/// Of the last iterations.
void RankController::add_computations(Measurement& m) const {
  constexpr double digits = 1e6; // the same gear is the same number
  const std::span<const Iteration> all = watch_.last_iterations();
  for (const Iteration& iteration : all.last(std::min(all.size(), most_computations))) {
    const Seconds in_gear0 = stretched(iteration.computation_in_gear0);
    m.computations.push_back(in_gear0);
    const double scale = in_gear0 > Seconds{} ? iteration.computation / in_gear0 : 1;
    m.scales.push_back(std::round(scale * digits) / digits);
  }
}

/// Those of which events are told, besides what came right before: the ones measured in the present
/// gear, and a few at least. Ranks that are ahead of others have fewer in common than each
/// measured.
std::span<const Iteration> RankController::told_iterations() const {
  const std::span<const Iteration> last = watch_.last_iterations();
  const auto measured =
      std::ranges::lower_bound(last, watch_.measured_since(), {}, &Iteration::begin);
  const auto count = static_cast<std::size_t>(last.end() - measured);
  return last.last(std::max(count, std::min(last.size(), few_iterations)));
}

/// One iteration more is told of in part: ranks begin them at different moments, and what is known
/// of all begins when the last of them did.
Seconds RankController::events_from() const {
  const std::span<const Iteration> last = watch_.last_iterations();
  const auto told = told_iterations();
  const std::size_t before = last.size() - told.size();
  if (keeps_bound_ && before > 0)
    return last[before - 1].begin;
  return told.empty() ? watch_.measured_since()
                      : std::min(watch_.measured_since(), told.front().begin);
}

Measurement RankController::measurement_without_loop() const {
  const Seconds begin = at_order_.calls == 0 ? start_ : at_order_.end;
  Measurement m{.rank = rank_,
                .node = node_,
                .phase = watch_.phase(),
                .gear = ports_.actuator.gear(),
                .computation = total_.computation - at_order_.computation,
                .computation_in_gear0 =
                    stretched(total_.computation_in_gear0 - at_order_.computation_in_gear0),
                .communication = total_.communication - at_order_.communication,
                .calls = static_cast<double>(total_.calls - at_order_.calls),
                .elapsed = ports_.clock.now() - start_,
                .own = own_time(),
                .spent = caps_power_ ? std::optional(spent()) : std::nullopt,
                .orders = changes_.size(),
                .loop = watch_.takeovers(),
                .measured_iterations = 1,
                .stolen = share_stolen(begin),
                .computed = computed(),
                .timeline = std::nullopt};
  const std::uint64_t first = add_events(m, begin);
  m.iterations = {first, first + m.timeline->events.size()};
  return m;
}

Seconds RankController::computed() const {
  return computed_before_choice_ ? stretched(total_.computation_in_gear0 - *computed_before_choice_)
                                 : Seconds{};
}

/// Of the time from that moment on.
double RankController::share_stolen(Seconds from) const {
  const Seconds passed = ports_.clock.now() - from;
  return passed > Seconds{} ? std::min(stolen_.since(from) / passed, 1.0) : 0;
}

/// What gears are chosen for.
Seconds RankController::stretched(Seconds computation_in_gear0) const {
  return computation_in_gear0 * expected_stretch(total_.stolen, ports_.clock.now() - start_);
}

/// Those from that moment on, the latest where there are too many. Returns the number of the first.
std::uint64_t RankController::add_events(Measurement& m, Seconds from) const {
  m.timeline =
      ports_.timeline_since(from, most_events(m.elapsed, static_cast<std::size_t>(ranks_),
                                              events_of_iteration() * enough_of_many_ranks));
  return model::events_before(*m.timeline);
}

/// On average; none is told of: any number.
double RankController::events_of_iteration() const {
  const auto told = told_iterations();
  if (told.size() < 2)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(told.back().event - told.front().event) /
         static_cast<double>(told.size() - 1);
}

void RankController::add_events(Measurement& m) const {
  const std::uint64_t cut_off = add_events(m, events_from());
  for (const Iteration& iteration : told_iterations())
    if (iteration.event >= cut_off)
      m.iterations.push_back(iteration.event);
  m.iterations.push_back(cut_off + m.timeline->events.size());
  if (tell_too_little(m))
    m.timeline.reset();
}

/// Nobody can choose by the end of an iteration: the links are for the program then.
bool RankController::tell_too_little(const Measurement& m) const {
  const Seconds told = model::end(*m.timeline) - m.timeline->begin;
  const bool has_more = told_iterations().size() > 1;
  return !keeps_bound_ && are_many(static_cast<std::size_t>(ranks_)) && has_more &&
         told < watch_.mean_length() * least_of_iterations;
}

} // namespace hypermile::runtime
