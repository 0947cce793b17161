#include "report/job_ratios.hpp"

#include "report/periods.hpp"
#include "report/wait_gear.hpp"
#include "runtime/decide/gear0_ratio.hpp"
#include "runtime/decide/time_model.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hypermile::report {
namespace {

using runtime::Decision;
using runtime::RankReport;
using runtime::RunReport;

bool power_known(const RankReport& rank) {
  const auto& power = rank.node.type.power;
  return std::ranges::all_of(power, [](const auto& p) { return p.computing > Watts{}; });
}

struct Cost {
  Seconds time;
  Joules energy;
  Seconds computation;
};

/// Of a rank's whole loop, had all of it gone as the iterations of some periods did.
std::optional<Cost> loop_cost(const RankReport& rank, const Leaders& leaders,
                              const std::vector<Period>& periods) {
  Cost cost{};
  double calls = 0;
  for (const Period& period : periods)
    if (const auto part = part_of(rank, period)) {
      const Mark from = later(part->first, loop_begin(rank));
      const Mark to = earlier(part->second, loop_end(rank));
      if (to.time <= from.time || to.calls <= from.calls)
        continue;
      cost.time += to.time - from.time;
      cost.energy += energy_of(rank, leaders, period, from, to).sum();
      cost.computation += to.computation - from.computation;
      calls += to.calls - from.calls;
    }
  if (!(calls > 0))
    return std::nullopt;
  const double whole = static_cast<double>(rank.loop.calls) / calls;
  return Cost{cost.time * whole, cost.energy * whole, cost.computation * whole};
}

/// Whether so much of a rank's time was stolen in these periods that they say little of gears.
bool is_contended(const RankReport& rank, const std::vector<Period>& periods) {
  Seconds time;
  Seconds stolen;
  for (const Period& period : periods)
    if (const auto part = part_of(rank, period)) {
      time += part->second.time - part->first.time;
      stolen += part->second.stolen - part->first.stolen;
    }
  return stolen > time * TakenByOthers::much;
}

Cost sum(const Cost& a, const Cost& b) {
  return {a.time + b.time, a.energy + b.energy, a.computation + b.computation};
}

/// Whether a gear alone may make this of the computation before: nothing where it waits for memory,
/// S times as much where it does not. Else the iterations have become longer or shorter by
/// themselves, or other programs take the cores.
bool is_the_same_work(const Cost& before, const Cost& now, double scale) {
  constexpr double tolerance = 0.05;
  return now.computation >= before.computation * (1 - tolerance) &&
         now.computation <= before.computation * (scale * (1 + tolerance));
}

std::optional<Ratio> ratio_of(const Cost& now, const Cost& before) {
  if (!(before.time > Seconds{} && before.energy > Joules{}))
    return std::nullopt;
  return Ratio{now.time / before.time, now.energy / before.energy};
}

std::optional<std::size_t> last_with_gears(const RunReport& run) {
  for (std::size_t d = run.decisions.size(); d > 0; --d)
    if (runtime::sets_a_gear(run.decisions[d - 1]))
      return d - 1;
  return std::nullopt;
}

std::optional<Ratio> prediction_of(const Decision& decision) {
  if (!(decision.prediction.p_norm > 0))
    return std::nullopt;
  return Ratio{runtime::predicted_time_ratio(decision), decision.prediction.e_norm};
}

/// The iterations after a choice against those before any gears were set, by the power tables. None
/// where they have not the same to do.
std::optional<Ratio> compared_ratio(const RunReport& run, std::size_t decision) {
  if (!table_energy(run))
    return std::nullopt;
  std::vector<Period> before{std::nullopt};
  for (std::size_t d = 0; !runtime::sets_a_gear(run.decisions[d]); ++d)
    before.emplace_back(d);
  const Leaders leaders(run);
  Cost then{};
  Cost now{};
  for (const RankReport& rank : run.ranks) {
    const auto of_then = loop_cost(rank, leaders, before);
    const auto of_now = loop_cost(rank, leaders, {decision});
    const double scale = rank.node.type.gears.scale(gear_in(leaders.of(rank), decision));
    if (!of_then || !of_now || !is_the_same_work(*of_then, *of_now, scale) ||
        is_contended(rank, before) || is_contended(rank, {decision}))
      return std::nullopt;
    then = sum(then, *of_then);
    now = sum(now, *of_now);
  }
  return ratio_of(now, then);
}

/// What became of a choice on the nodes that it has reached.
enum class Effect { none, some, all };

Effect effect_of(const Leaders& leaders, std::size_t decision) {
  bool all = true;
  bool none = true;
  for (const RankReport* leader : leaders.all())
    if (decision < leader->changes.size()) {
      all = all && leader->changes[decision].in_effect;
      none = none && leader->changes[decision].gear == 0;
    }
  return all ? Effect::all : none ? Effect::none : Effect::some;
}

/// A choice as it came, where that was measured and can be believed; otherwise as predicted.
std::optional<Ratio> outcome_of(const Decision& decision) {
  auto ratio = prediction_of(decision);
  if (ratio && decision.measured_time_ratio.value_or(0) >= believable_time_ratio) {
    // In gear 0 a node takes as much less energy as it takes less time.
    ratio->energy = *ratio->energy * *decision.measured_time_ratio / ratio->time;
    ratio->time = *decision.measured_time_ratio;
  }
  return ratio;
}

/// What became of each choice, against gear 0; none where some nodes took its gears and others did
/// not.
std::optional<std::vector<Ratio>> outcomes(const RunReport& run, const Leaders& leaders) {
  std::vector<Ratio> ratios;
  for (std::size_t d = 0; d < run.decisions.size(); ++d) {
    const Effect effect =
        runtime::sets_a_gear(run.decisions[d]) ? effect_of(leaders, d) : Effect::none;
    if (effect == Effect::some)
      return std::nullopt;
    const auto outcome = outcome_of(run.decisions[d]);
    ratios.push_back(effect == Effect::all && outcome ? *outcome : Ratio{1, 1});
  }
  return ratios;
}

/// What a rank spent in the gears of a choice, had it been in gear 0: that came to `ratio`, but for
/// the time in which the gears no longer fitted.
Cost had_it_been_in_gear0(const Cost& spent, const Ratio& ratio, const Decision* decision) {
  const Ratio usual{ratio.time, ratio.energy.value_or(1)};
  Cost cost{spent.time / usual.time, spent.energy / *usual.energy, {}};
  if (decision == nullptr || !decision->misfit || !(spent.time > Seconds{}))
    return cost;
  const runtime::Misfit& misfit = *decision->misfit;
  const double part = std::min(misfit.time / spent.time, 1.0);
  cost.time = cost.time * (1 - part) + spent.time * part / misfit.time_ratio;
  cost.energy = cost.energy * (1 - part) + spent.energy * part / misfit.energy_ratio;
  return cost;
}

/// What periods of a run cost, and what they would have cost in gear 0; and what was in gear 0 all
/// the same.
struct Account {
  Cost now{};
  Cost in_gear0{};
  Cost away{};
};

/// Of those periods that `counts`. None where no gears were chosen, or only some nodes took them.
template <class Counts>
std::optional<Account> account_of(const RunReport& run, const Counts& counts) {
  if (!predicted_ratio(run) || !table_energy(run) || runtime::is_uncoupled(run))
    return std::nullopt;
  const Leaders leaders(run);
  const auto ratios = outcomes(run, leaders);
  if (!ratios)
    return std::nullopt;
  Account account;
  for (const RankReport& rank : run.ranks)
    for (const Period& period : periods_of(rank)) {
      if (!counts(period))
        continue;
      const auto [from, to] = *part_of(rank, period);
      const bool is_of_choice = period && *period < ratios->size();
      const Ratio ratio = is_of_choice ? (*ratios)[*period] : Ratio{1, 1};
      const Spent spent = energy_of(rank, leaders, period, from, to);
      const Seconds away = away_in(rank, period, from, to).time;
      const Seconds in_gears = to.time - from.time - away;
      const Cost now{in_gears, spent.in_gear, {}};
      account.now = sum(account.now, now);
      account.in_gear0 =
          sum(account.in_gear0,
              had_it_been_in_gear0(now, ratio, is_of_choice ? &run.decisions[*period] : nullptr));
      account.away = sum(account.away, {away, spent.away, {}});
    }
  return account;
}

} // namespace

const Decision* last_gears(const RunReport& run) {
  const auto last = last_with_gears(run);
  return last ? &run.decisions[*last] : nullptr;
}

Leaders::Leaders(const RunReport& run) {
  for (const RankReport& rank : run.ranks) {
    const RankReport*& leader = by_node_.emplace(rank.node.name, &rank).first->second;
    if (rank.access && !leader->access)
      leader = &rank;
  }
  for (const RankReport& rank : run.ranks)
    if (is(rank))
      all_.push_back(&rank);
}

bool any_gear(const RunReport& run) {
  const auto not_0 = [](const runtime::GearChange& change) { return change.gear != 0; };
  return std::ranges::any_of(Leaders(run).all(), [&](const RankReport* leader) {
    return leader->gear != 0 || std::ranges::any_of(leader->changes, not_0);
  });
}

std::optional<TakenByOthers> taken_by_others(const RunReport& run) {
  Seconds time;
  Seconds all;
  std::optional<TakenByOthers> taken;
  for (const RankReport& rank : run.ranks)
    if (rank.stolen && rank.time > Seconds{}) {
      time += rank.time;
      all += *rank.stolen;
      const double most = taken ? taken->of_rank : 0;
      taken = TakenByOthers{all / time, std::max(most, *rank.stolen / rank.time)};
    }
  return taken;
}

std::optional<Joules> table_energy(const RunReport& run) {
  if (run.ranks.empty() || !std::ranges::all_of(run.ranks, power_known))
    return std::nullopt;
  const Leaders leaders(run);
  Joules energy;
  for (const RankReport& rank : run.ranks)
    for (const Period& period : periods_of(rank)) {
      const auto [from, to] = *part_of(rank, period);
      energy += energy_of(rank, leaders, period, from, to).sum();
    }
  return energy - wait_gear_effect(run).saved;
}

std::optional<Ratio> predicted_ratio(const RunReport& run) {
  const Decision* const last = last_gears(run);
  return last != nullptr ? prediction_of(*last) : std::nullopt;
}

std::optional<Ratio> measured_ratio(const RunReport& run) {
  const auto last = last_with_gears(run);
  if (!last)
    return std::nullopt;
  const auto& told = run.decisions[*last].measured_time_ratio;
  if (runtime::is_uncoupled(run.decisions[*last].time_model))
    return told ? std::optional(Ratio{*told, std::nullopt}) : std::nullopt;
  auto measured = compared_ratio(run, *last);
  if (!measured && told)
    measured = Ratio{*told, std::nullopt};
  return measured && measured->time >= believable_time_ratio ? measured : std::nullopt;
}

bool all_in_effect(const RunReport& run) {
  const auto last = last_with_gears(run);
  return !last || effect_of(Leaders(run), *last) == Effect::all;
}

Seconds time_at_ends(const RunReport& run) {
  if (run.ranks.empty())
    return {};
  return std::ranges::min_element(run.ranks, {}, &RankReport::in_init)->in_init +
         std::ranges::min_element(run.ranks, {}, &RankReport::in_finalize)->in_finalize +
         run.in_finalize;
}

Seconds own_time(const RunReport& run) {
  Seconds most;
  for (const RankReport& rank : run.ranks)
    most = std::max(most, rank.overhead + rank.watching);
  return most;
}

std::optional<Ratio> whole_run_ratio(const RunReport& run) {
  auto account = account_of(run, [](const Period&) { return true; });
  if (!account)
    return std::nullopt;
  auto& [now, in_gear0, away] = *account;
  now = sum(now, away);
  in_gear0 = sum(in_gear0, away);
  const auto ranks = static_cast<double>(run.ranks.size());
  now.time += time_at_ends(run) * ranks;
  const WaitGearEffect waits = wait_gear_effect(run);
  now.energy -= waits.saved;
  in_gear0.time -= (own_time(run) + waits.cost) * ranks;
  return ratio_of(now, in_gear0);
}

std::optional<Ratio> phase_ratio(const RunReport& run, std::size_t phase) {
  const auto account = account_of(run, [&](const Period& period) {
    return period && *period < run.decisions.size() && !run.decisions[*period].before_loop &&
           run.decisions[*period].phase == phase;
  });
  return account ? ratio_of(account->now, account->in_gear0) : std::nullopt;
}

} // namespace hypermile::report
