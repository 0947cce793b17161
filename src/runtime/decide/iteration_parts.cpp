#include "runtime/decide/iteration_parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Of fewer ranks it cannot be told what they have in common.
constexpr std::size_t fewest_alike = 3;

using Shares = std::vector<double>; ///< by event of an iteration

/// What a rank does in an iteration, apart from how long and with whom.
using Calls = std::vector<std::pair<std::uint32_t, bool>>;

Calls calls_of(const model::RankTimeline& rank, std::uint32_t first, std::uint32_t end) {
  Calls calls;
  for (std::uint32_t e = first; e < end; ++e) {
    const model::Operation& operation = rank.operations[rank.events[e].operation];
    calls.emplace_back(static_cast<std::uint32_t>(operation.function) << 8U |
                           static_cast<std::uint32_t>(operation.action),
                       rank.events[e].ends_call != 0);
  }
  return calls;
}

/// Those of a whole iteration; empty where iterations differ. Of the first one the begin may be
/// missing, and of the last one the end.
Calls calls_of_all(const model::RankTimeline& rank, const std::vector<std::uint32_t>& firsts) {
  if (firsts.size() < 2)
    return {};
  std::vector<Calls> all;
  for (std::size_t i = 0; i + 1 < firsts.size(); ++i)
    all.push_back(calls_of(rank, firsts[i], firsts[i + 1]));
  const Calls& whole = *std::ranges::max_element(all, {}, &Calls::size);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto lacking = static_cast<std::ptrdiff_t>(whole.size() - all[i].size());
    const bool as_end = std::equal(all[i].begin(), all[i].end(), whole.begin() + lacking);
    const bool as_begin = std::equal(all[i].begin(), all[i].end(), whole.begin());
    if (!(as_end && (lacking == 0 || i == 0)) && !(as_begin && i + 1 == all.size()))
      return {};
  }
  return whole;
}

/// Empty where the rank computes nothing.
Shares shares_of(const model::RankTimeline& rank, std::uint32_t first, std::uint32_t end) {
  Shares shares;
  for (std::uint32_t e = first; e < end; ++e)
    shares.push_back(static_cast<double>(rank.events[e].computation) / scale_before(rank, e));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0))
    return {};
  for (double& part : shares)
    part /= sum;
  return shares;
}

void add(Shares& sum, const Shares& shares, double factor = 1) {
  sum.resize(shares.size());
  for (std::size_t s = 0; s < shares.size(); ++s)
    sum[s] += factor * shares[s];
}

Shares mean_of(const std::vector<Shares>& all) {
  Shares mean;
  for (const Shares& shares : all)
    add(mean, shares, 1 / static_cast<double>(all.size()));
  return mean;
}

double squares(const Shares& shares) {
  return std::inner_product(shares.begin(), shares.end(), shares.begin(), 0.0);
}

/// By rank and iteration.
using Samples = std::vector<std::vector<Shares>>;

/// Takes off what the ranks have in common in each iteration: that makes nobody wait. Returns the
/// mean of it.
Shares take_common(Samples& samples) {
  std::vector<Shares> common;
  for (std::size_t i = 0; i < samples.front().size(); ++i) {
    std::vector<Shares> of_ranks;
    for (const auto& rank : samples)
      of_ranks.push_back(rank[i]);
    common.push_back(mean_of(of_ranks));
    for (auto& rank : samples)
      add(rank[i], common.back(), -1);
  }
  return mean_of(common);
}

/// How much of a rank's mean over its iterations is its own, from 0 to 1.
double trust_in(const Samples& samples, const std::vector<Shares>& means) {
  constexpr double unknown = 0.5; // of one iteration
  const auto iterations = static_cast<double>(samples.front().size());
  if (iterations < 2)
    return unknown;
  double within = 0;
  double between = 0;
  for (std::size_t r = 0; r < samples.size(); ++r) {
    between += squares(means[r]) / static_cast<double>(samples.size() - 1);
    for (Shares shares : samples[r]) {
      add(shares, means[r], -1);
      within += squares(shares) / (iterations - 1) / static_cast<double>(samples.size());
    }
  }
  return between > 0 ? std::max(0.0, 1 - within / iterations / between) : 0;
}

} // namespace

IterationParts::IterationParts(const model::Timeline& timeline, const Firsts& iterations)
    : iterations_(iterations), place_(iterations.size()), recorded_(iterations.size()),
      blocks_(iterations) {
  std::map<Calls, Group> alike;
  for (std::size_t r = 0; r < iterations.size(); ++r) {
    const auto& firsts = iterations[r];
    for (std::size_t i = 0; i + 1 < firsts.size(); ++i)
      recorded_[r].push_back(shares_of(timeline.ranks[r], firsts[i], firsts[i + 1]));
    Calls calls = calls_of_all(timeline.ranks[r], firsts);
    const std::size_t events = calls.size();
    std::size_t whole = 0;
    for (std::size_t i = 0; i < recorded_[r].size(); ++i)
      whole += events_of(r, i) == events ? 1 : 0;
    if (calls.empty() || std::ranges::any_of(recorded_[r], &Shares::empty))
      continue;
    Group& group = alike[std::move(calls)];
    group.iterations = group.ranks.empty() ? whole : std::min(group.iterations, whole);
    group.events = events;
    group.ranks.push_back(r);
  }
  for (auto& [calls, group] : alike) {
    if (group.ranks.size() < fewest_alike)
      continue;
    for (std::size_t i = 0; i < group.ranks.size(); ++i) {
      const std::size_t rank = group.ranks[i];
      place_[rank] = {groups_.size(), i};
      auto& blocks = blocks_[rank];
      blocks.resize(iterations[rank].back() - iterations[rank].front() + 1);
      std::iota(blocks.begin(), blocks.end(), iterations[rank].front());
    }
    estimate(group);
    groups_.push_back(std::move(group));
  }
}

void IterationParts::estimate(Group& group) const {
  Samples samples;
  for (const std::size_t r : group.ranks) {
    auto& of_rank = samples.emplace_back();
    for (std::size_t i = 0; i < recorded_[r].size(); ++i)
      if (events_of(r, i) == group.events)
        of_rank.push_back(recorded_[r][i]);
    of_rank.erase(of_rank.begin(), of_rank.end() - static_cast<std::ptrdiff_t>(group.iterations));
  }
  const Shares common = take_common(samples);
  std::vector<Shares> means;
  for (const auto& of_rank : samples)
    means.push_back(mean_of(of_rank));
  const double trust = trust_in(samples, means);
  const auto count = static_cast<double>(group.iterations);
  const double unbiased = std::sqrt(count > 1 ? count / (count - 1) : 1 - trust);
  for (std::size_t r = 0; r < samples.size(); ++r) {
    Shares expected = common;
    add(expected, means[r], trust);
    for (double& part : expected)
      part = std::max(part, 0.0);
    group.of_rank.push_back(std::move(expected));
    for (Shares& shares : samples[r]) {
      if (group.iterations > 1)
        add(shares, means[r], -1);
      for (double& part : shares)
        part *= unbiased;
      group.noise.push_back(std::move(shares));
    }
  }
}

/// Of the rank's iteration of its group's, before the first event that was recorded of it.
std::size_t IterationParts::lacks(std::size_t rank, std::size_t iteration) const {
  return iteration == 0 ? groups_[place_[rank]->group].events - events_of(rank, 0) : 0;
}

/// By event of the iteration that was recorded.
IterationParts::Shares IterationParts::expected(std::size_t rank, std::size_t iteration) const {
  const Shares& whole = groups_[place_[rank]->group].of_rank[place_[rank]->index];
  const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(lacks(rank, iteration));
  return {begin, begin + static_cast<std::ptrdiff_t>(events_of(rank, iteration))};
}

void IterationParts::divide(model::Timeline& timeline) const {
  for (std::size_t r = 0; r < place_.size(); ++r) {
    if (!place_[r])
      continue;
    model::RankTimeline& rank = timeline.ranks[r];
    const auto& firsts = iterations_[r];
    for (std::size_t i = 0; i + 1 < firsts.size(); ++i) {
      const Shares shares = expected(r, i);
      const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
      const double computed = computed_in_gear0(rank, firsts[i], firsts[i + 1]).value();
      for (std::size_t s = 0; s < shares.size() && sum > 0; ++s)
        rank.events[firsts[i] + s].computation =
            static_cast<float>(computed * shares[s] / sum * scale_before(rank, firsts[i] + s));
    }
  }
}

/// What was left over of some iteration of some rank that is alike, and what is late besides.
void IterationParts::draw_parts(std::size_t rank, std::size_t iteration, const Deviation& deviation,
                                std::mt19937& engine, std::vector<double>& factors) const {
  constexpr double least = 0.1;
  const Group& group = groups_[place_[rank]->group];
  const Shares shares = expected(rank, iteration);
  const Shares& noise = group.noise[engine() % group.noise.size()];
  const std::size_t first = lacks(rank, iteration);
  const std::size_t begin = factors.size();
  for (std::size_t s = 0; s < shares.size(); ++s)
    factors.push_back(deviation.factor *
                      (shares[s] > 0 ? std::max(1 + noise[first + s] / shares[s], least) : 1));
  if (!(deviation.late > 0))
    return;
  std::discrete_distribution<std::size_t> any(shares.begin(), shares.end());
  const std::size_t s = any(engine);
  if (shares[s] > 0)
    factors[begin + s] += deviation.late / shares[s];
}

std::vector<double> IterationParts::draw(std::size_t rank,
                                         const std::vector<Deviation>& of_iterations,
                                         std::mt19937& engine) const {
  std::vector<double> factors;
  for (std::size_t i = 0; i < of_iterations.size(); ++i)
    if (place_[rank])
      draw_parts(rank, i, of_iterations[i], engine, factors);
    else
      factors.push_back(of_iterations[i].factor + of_iterations[i].late);
  return factors;
}

} // namespace hypermile::runtime
