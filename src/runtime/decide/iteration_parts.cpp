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

/// Empty where iterations differ.
Calls calls_of_all(const model::RankTimeline& rank, const std::vector<std::uint32_t>& firsts) {
  if (firsts.size() < 2)
    return {};
  Calls calls = calls_of(rank, firsts[0], firsts[1]);
  for (std::size_t i = 1; i + 1 < firsts.size(); ++i)
    if (calls_of(rank, firsts[i], firsts[i + 1]) != calls)
      return {};
  return calls;
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
    : iterations_(iterations), place_(iterations.size()), blocks_(iterations) {
  std::map<Calls, Group> alike;
  for (std::size_t r = 0; r < iterations.size(); ++r) {
    const auto& firsts = iterations[r];
    Calls calls = calls_of_all(timeline.ranks[r], firsts);
    const std::size_t count = firsts.size() - std::min<std::size_t>(firsts.size(), 1);
    bool computes = !calls.empty();
    for (std::size_t i = 0; i < count; ++i)
      computes = computes && !shares_of(timeline.ranks[r], firsts[i], firsts[i + 1]).empty();
    if (!computes)
      continue;
    Group& group = alike[std::move(calls)];
    group.iterations = group.ranks.empty() ? count : std::min(group.iterations, count);
    group.events = firsts[1] - firsts[0];
    group.ranks.push_back(r);
  }
  for (auto& [calls, group] : alike) {
    if (group.ranks.size() < fewest_alike)
      continue;
    estimate(timeline, group);
    for (std::size_t i = 0; i < group.ranks.size(); ++i) {
      const std::size_t rank = group.ranks[i];
      place_[rank] = {groups_.size(), i};
      auto& blocks = blocks_[rank];
      blocks.resize(iterations[rank].back() - iterations[rank].front() + 1);
      std::iota(blocks.begin(), blocks.end(), iterations[rank].front());
    }
    groups_.push_back(std::move(group));
  }
}

void IterationParts::estimate(const model::Timeline& timeline, Group& group) const {
  Samples samples;
  for (const std::size_t r : group.ranks) {
    auto& of_rank = samples.emplace_back();
    const auto& firsts = iterations_[r];
    for (std::size_t i = firsts.size() - 1 - group.iterations; i + 1 < firsts.size(); ++i)
      of_rank.push_back(shares_of(timeline.ranks[r], firsts[i], firsts[i + 1]));
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

void IterationParts::divide(model::Timeline& timeline) const {
  for (std::size_t r = 0; r < place_.size(); ++r) {
    if (!place_[r])
      continue;
    const Shares& shares = groups_[place_[r]->first].of_rank[place_[r]->second];
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    model::RankTimeline& rank = timeline.ranks[r];
    const auto& firsts = iterations_[r];
    for (std::size_t i = 0; i + 1 < firsts.size(); ++i) {
      const double computed = computed_in_gear0(rank, firsts[i], firsts[i + 1]).value();
      for (std::size_t s = 0; s < shares.size(); ++s)
        rank.events[firsts[i] + s].computation =
            static_cast<float>(computed * shares[s] / sum * scale_before(rank, firsts[i] + s));
    }
  }
}

/// What is left over of some iteration of some rank that is alike.
std::vector<double> IterationParts::draw(std::size_t rank, const std::vector<double>& of_iterations,
                                         std::mt19937& engine) const {
  if (!place_[rank])
    return of_iterations;
  constexpr double least = 0.1;
  const Group& group = groups_[place_[rank]->first];
  const Shares& shares = group.of_rank[place_[rank]->second];
  std::vector<double> factors;
  for (const double of_iteration : of_iterations) {
    const Shares& noise = group.noise[engine() % group.noise.size()];
    for (std::size_t s = 0; s < shares.size(); ++s)
      factors.push_back(of_iteration *
                        (shares[s] > 0 ? std::max(1 + noise[s] / shares[s], least) : 1));
  }
  return factors;
}

} // namespace hypermile::runtime
