#include "steer/sample.hpp"

#include <algorithm>

namespace hypermile::steer {

namespace {

/// Work arrives that it does not get to, whatever it waits for. A short sample cannot tell that
/// from a moment in which much has come.
bool falls_behind(const Sample& sample) {
  constexpr Seconds long_enough{0.5};
  constexpr double share = 1.2;
  constexpr double chance = 10; // items
  return sample.arrivals && sample.length >= long_enough &&
         *sample.arrivals > share * sample.items + chance;
}

} // namespace

Sample joined(const Sample& first, const Sample& second) {
  const Seconds length = first.length + second.length;
  const double share = first.length / length;
  Sample both = second; // what is counted from the begin on
  both.length = length;
  both.items += first.items;
  if (first.arrivals)
    both.arrivals = *first.arrivals + second.arrivals.value_or(0);
  both.busy = share * first.busy + (1 - share) * second.busy;
  both.contended = share * first.contended + (1 - share) * second.contended;
  both.power = first.power * share + second.power * (1 - share);
  return both;
}

double granted(const Sample& sample) {
  constexpr double least = 0.05; // less tells nothing of what it would do with more
  const double wanted = sample.busy + sample.contended;
  return wanted > 0 ? std::max(sample.busy / wanted, least) : 1;
}

double load_of(const Sample& sample) {
  constexpr double saturated = 0.97;
  constexpr double least = 0.001;
  const double wanted = sample.busy + sample.contended;
  if (!sample.arrivals || wanted >= saturated || falls_behind(sample))
    return 1;
  return std::max(sample.busy, least);
}

std::optional<Rate> capacity_of(const Sample& sample) {
  constexpr double least_load = 0.02;
  const double load = load_of(sample);
  if (sample.items <= 0 || load < least_load || sample.power <= Watts{})
    return std::nullopt; // a meter that stood still has not told anything, either
  // With spare time, what others took of it does not matter: all that came was done.
  const double had = load < 1 ? load : granted(sample);
  return Rate{sample.items / sample.length.value() / had};
}

} // namespace hypermile::steer
