#include "runtime/decide/expected_loop.hpp"

#include "model/dependency/calls.hpp"
#include "runtime/decide/bootstrap_blocks.hpp"
#include "runtime/decide/node_problem.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace hypermile::runtime {
namespace {

namespace dependency = model::dependency;

/// The gears that each rank was in, as changes of scale.
std::vector<std::vector<dependency::ScaleChange>> gears_of(const model::Timeline& timeline) {
  std::vector<std::vector<dependency::ScaleChange>> changes;
  for (const model::RankTimeline& rank : timeline.ranks) {
    auto& of_rank = changes.emplace_back();
    of_rank.push_back({.event = 0, .scale = gear_scale_before(rank, 0)});
    for (const auto& earlier : rank.earlier)
      of_rank.push_back({.event = earlier.end, .scale = gear_scale_before(rank, earlier.end)});
  }
  return changes;
}

/// Each rank in the last of its gears.
std::vector<double> present_scales(const model::Timeline& timeline) {
  std::vector<double> scales;
  for (const model::RankTimeline& rank : timeline.ranks)
    scales.push_back(rank.scale);
  return scales;
}

std::vector<std::vector<dependency::ScaleChange>> unchanged(const std::vector<double>& scales) {
  std::vector<std::vector<dependency::ScaleChange>> changes;
  for (const double scale : scales)
    changes.push_back({{.event = 0, .scale = scale}});
  return changes;
}

/// Mean of some iterations, as it passed.
Seconds mean_length(const model::RankTimeline& rank, const std::vector<std::uint32_t>& firsts) {
  Seconds sum;
  for (std::uint32_t e = firsts.front(); e < firsts.back(); ++e)
    sum += Seconds{static_cast<double>(rank.events[e].computation + rank.events[e].duration)};
  return sum / static_cast<double>(firsts.size() - 1);
}

/// Multiplies the computation of the events from `first` to `end`.
void stretch(model::RankTimeline& rank, std::uint32_t first, std::uint32_t end, double factor) {
  for (std::uint32_t e = first; e < end; ++e)
    rank.events[e].computation =
        static_cast<float>(static_cast<double>(rank.events[e].computation) * factor);
}

/// Each iteration is stretched as if it computed as long as expected, s in gear 0; also one of
/// which the window has only a part. What comes before and after the iterations that were told is
/// stretched as the nearest one is; that before is not more than an iteration.
void make_expected(model::RankTimeline& window, const Measurement& measurement, double expected) {
  const model::RankTimeline& whole = *measurement.timeline;
  const std::uint64_t told = model::events_before(whole);
  const std::uint64_t begin = model::events_before(window);
  const std::uint64_t end = begin + window.events.size();
  const auto& firsts = measurement.iterations;
  const auto in_whole = [&](std::uint64_t event) {
    return std::min<std::uint64_t>(event - std::min(event, told), whole.events.size());
  };
  const auto factor = [&](std::uint64_t from, std::uint64_t to) {
    const double computed = computed_in_gear0(whole, in_whole(from), in_whole(to)).value();
    return computed > 0 ? expected / computed : 1;
  };
  std::uint64_t next = begin;
  const auto stretch_until = [&](std::uint64_t event, double by) {
    event = std::clamp(event, next, end);
    stretch(window, static_cast<std::uint32_t>(next - begin),
            static_cast<std::uint32_t>(event - begin), by);
    next = event;
  };
  if (firsts.size() < 2)
    return;
  stretch_until(firsts[0], std::min(factor(told, firsts[0]), factor(firsts[0], firsts[1])));
  for (std::size_t i = 0; i + 1 < firsts.size(); ++i) {
    const bool last = i + 2 == firsts.size();
    stretch_until(last ? end : firsts[i + 1], factor(firsts[i], firsts[i + 1]));
  }
}

} // namespace

ExpectedLoop::ExpectedLoop(const std::vector<Measurement>& measurements,
                           const model::Timeline& timeline, std::optional<Seconds> begin,
                           const dependency::Protocol& assumed)
    : measurements_(measurements), timeline_(timeline), begin_(begin),
      iterations_(iterations_in(measurements, timeline)) {
  const dependency::Matching matching(timeline);
  const dependency::Calls calls(matching);
  const dependency::Costs costs = dependency::find_costs(matching, calls, assumed);
  as_recorded_ = begun({matching, calls, costs});
  recorded_ = as_recorded_->staged(gears_of(timeline)).time;
  slowdown_ =
      against_gear0(are_of_earlier_gears(measurements) ? gears_of(timeline)
                                                       : unchanged(present_scales(timeline)));
  if (!measurements.front().of_one_loop)
    expect_as_in_all(matching, calls, costs);
  if (iterations_.empty())
    return;
  for (std::size_t r = 0; r < iterations_.size(); ++r)
    iteration_ =
        std::max(iteration_.value_or(Seconds{}), mean_length(timeline.ranks[r], iterations_[r]));
  if (!measurements.front().of_one_loop)
    return;
  shares_ = estimate_shares(measurements);
  expect(matching, calls, costs);
  expect_to_last();
}

std::unique_ptr<dependency::Dependencies>
ExpectedLoop::begun(dependency::Dependencies dependencies) const {
  auto begun = std::make_unique<dependency::Dependencies>(std::move(dependencies));
  if (begin_)
    begun->begin_at(*begin_);
  return begun;
}

double ExpectedLoop::against_gear0(const Gears& gears) const {
  const std::vector<double> gear0(timeline_.ranks.size(), 1);
  return as_recorded_->staged(gears).time / as_recorded_->staged(unchanged(gear0)).time - 1;
}

double ExpectedLoop::slowdown_with(const std::vector<double>& scales) const {
  return against_gear0(unchanged(scales));
}

/// A rank that is ahead of the others by an iteration, when few are recorded, seems to have time to
/// spare that it will not have again.
void ExpectedLoop::expect_to_last() {
  const double iterations = recorded_ / *iteration_;
  std::vector<Seconds> computation;
  for (std::size_t r = 0; r < measurements_.size(); ++r)
    computation.push_back(
        (shares_ ? Seconds{shares_->computation[r]} : measurements_[r].computation_in_gear0) *
        iterations);
  (expected_ ? *expected_ : *as_recorded_).last_at_least(std::move(computation));
}

/// By rank, which part of its recorded iterations the slowest one has, where all were recorded for
/// the same time. A rank that gets ahead of others does more of them, until it has to wait: then as
/// many. Where that is no more than the begin and the end of the time explain: all.
std::vector<double> ExpectedLoop::parts_in_step() const {
  constexpr double at_the_ends = 1.5; // iterations
  std::vector<double> iterations;
  for (std::size_t r = 0; r < timeline_.ranks.size(); ++r) {
    const model::RankTimeline& rank = timeline_.ranks[r];
    const auto& firsts = iterations_[r];
    const Seconds whole = computed_in_gear0(rank, firsts.front(), firsts.back());
    const Seconds all = computed_in_gear0(rank, 0, rank.events.size());
    iterations.push_back(static_cast<double>(firsts.size() - 1) *
                         (whole > Seconds{} ? all / whole : 1));
  }
  const double least = std::ranges::min(iterations);
  const bool are_apart = !begin_ && std::ranges::max(iterations) - least > at_the_ends;
  std::vector<double> parts;
  for (const double of_rank : iterations)
    parts.push_back(are_apart && of_rank > 0 ? least / of_rank : 1);
  return parts;
}

void ExpectedLoop::expect(const dependency::Matching& matching, const dependency::Calls& calls,
                          const dependency::Costs& costs) {
  const std::vector<double> parts = parts_in_step();
  if (!shares_ && std::ranges::all_of(parts, [](double part) { return part == 1; }))
    return;
  model::Timeline expected = matching.timeline();
  if (shares_) {
    for (std::size_t r = 0; r < expected.ranks.size(); ++r)
      make_expected(expected.ranks[r], measurements_[r], shares_->computation[r]);
    parts_.emplace(timeline_, iterations_);
    parts_->divide(expected);
  }
  for (std::size_t r = 0; r < expected.ranks.size(); ++r)
    stretch(expected.ranks[r], 0, static_cast<std::uint32_t>(expected.ranks[r].events.size()),
            parts[r]);
  expected_ = begun({dependency::Matching(expected), calls, costs});
}

/// Ranks whose loops differ have no iterations in common, and what was recorded may be a part that
/// says little of the rest. So each rank computes that share of it that it had in all so far.
void ExpectedLoop::expect_as_in_all(const dependency::Matching& matching,
                                    const dependency::Calls& calls,
                                    const dependency::Costs& costs) {
  constexpr double most = 4;
  model::Timeline expected = matching.timeline();
  Seconds recorded;
  Seconds in_all;
  std::vector<Seconds> of_ranks;
  for (std::size_t r = 0; r < expected.ranks.size(); ++r) {
    of_ranks.push_back(computed_in_gear0(expected.ranks[r], 0, expected.ranks[r].events.size()));
    recorded += of_ranks.back();
    in_all += measurements_[r].computed;
    if (of_ranks.back() <= Seconds{} || measurements_[r].computed <= Seconds{})
      return;
  }
  for (std::size_t r = 0; r < expected.ranks.size(); ++r) {
    const double factor = (measurements_[r].computed / in_all) / (of_ranks[r] / recorded);
    stretch(expected.ranks[r], 0, static_cast<std::uint32_t>(expected.ranks[r].events.size()),
            std::clamp(factor, 1 / most, most));
  }
  expected_ = begun({dependency::Matching(expected), calls, costs});
}

double LoopNoise::left_after(Seconds time) const {
  return std::sqrt(lasting + (1 - lasting) * std::min(recorded / time, 1.0));
}

std::optional<LoopNoise> ExpectedLoop::noise(std::size_t resamples, bool bounded) const {
  constexpr unsigned seed = 1;
  if (shares_)
    return LoopNoise{{dependencies(), timeline_, parts_->blocks(), draw(resamples, bounded)},
                     recorded_,
                     lasting(bounded)};
  const Firsts blocks = bootstrap_blocks_of(measurements_, timeline_);
  if (blocks.empty() && bounded)
    return LoopNoise{assumed_noise(resamples), recorded_};
  if (blocks.empty())
    return std::nullopt;
  return LoopNoise{{dependencies(), timeline_, blocks, seed, resamples}, recorded_, 0};
}

/// On the rank where that is most.
double ExpectedLoop::lasting(bool bounded) const {
  const double of_iteration = shares_->variance();
  double most = 0;
  for (std::size_t r = 0; r < iterations_.size(); ++r) {
    const double latest = bounded ? shares_->latest[r] / 2 : 0; // it is in half of the draws
    const double of_mean = shares_->deviation[r] * shares_->deviation[r] + latest * latest;
    const auto count = static_cast<double>(std::max<std::size_t>(iterations_[r].size(), 2) - 1);
    most = std::max(most, of_mean / (of_mean + of_iteration / count));
  }
  return most;
}

/// Each rank may turn out to have more to do, or less.
dependency::IterationNoise ExpectedLoop::assumed_noise(std::size_t resamples) const {
  constexpr double deviation = 0.15; // of an iteration of programs that vary much
  std::mt19937 engine(1);
  std::normal_distribution<double> normal(0, deviation);
  Firsts whole;
  for (const model::RankTimeline& rank : timeline_.ranks)
    whole.push_back({0, static_cast<std::uint32_t>(rank.events.size())});
  dependency::IterationNoise::Factors factors(resamples);
  for (auto& of_ranks : factors)
    for (std::size_t r = 0; r < whole.size(); ++r)
      of_ranks.push_back({std::exp(normal(engine))});
  return {dependencies(), timeline_, whole, factors};
}

/// What a rank may have to do, and how late it may be in each iteration. Under a bound ranks whose
/// latest iteration was unlike the others go on like that in every other draw.
dependency::IterationNoise::Factors ExpectedLoop::draw(std::size_t resamples, bool bounded) const {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  dependency::IterationNoise::Factors factors(resamples);
  bool as_latest = false;
  for (auto& of_ranks : factors) {
    as_latest = bounded && !as_latest;
    for (std::size_t r = 0; r < iterations_.size(); ++r) {
      const double of_all =
          shares_->deviation[r] * normal(engine) + (as_latest ? shares_->latest[r] : 0);
      std::vector<IterationParts::Deviation> of_rank;
      for (std::size_t i = 0; i + 1 < iterations_[r].size(); ++i) {
        const auto [off, late] = shares_->draw(engine);
        of_rank.push_back({.factor = std::exp(late ? of_all : of_all + off),
                           .late = late ? std::exp(off) - 1 : 0});
      }
      of_ranks.push_back(parts_->draw(r, of_rank, engine));
    }
  }
  return factors;
}

} // namespace hypermile::runtime
