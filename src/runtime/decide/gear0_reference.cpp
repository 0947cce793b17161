#include "runtime/decide/gear0_reference.hpp"

#include "runtime/decide/recorded_iterations.hpp"

#include <algorithm>

namespace hypermile::runtime {
namespace {

/// One rank's share of its node: of the power of a core computing or waiting.
Joules energy(const Measurement& m, model::Gear gear, Seconds computing, Seconds waiting) {
  const auto& power = m.node.type.power[gear];
  return (power.computing * computing + power.waiting * waiting) /
         static_cast<double>(m.node.type.cores);
}

} // namespace

void Gear0Reference::learn(const std::vector<Measurement>& measurements) {
  communication_per_call_.clear();
  for (const Measurement& m : measurements)
    communication_per_call_.push_back(m.communication / m.calls);
}

std::optional<model::Baseline>
Gear0Reference::baseline(const std::vector<Measurement>& measurements) const {
  if (communication_per_call_.size() != measurements.size())
    return std::nullopt;
  // As the cluster model has it: the slowest rank waits for nobody, so that the least
  // communication time is the network's. Gears can only add waiting to it; where it was longer
  // before them, that was the noise of a few iterations.
  Seconds slowest;
  Seconds least = measurements[0].communication;
  for (std::size_t rank = 0; rank < measurements.size(); ++rank) {
    const Measurement& m = measurements[rank];
    slowest = std::max(slowest, m.computation_in_gear0);
    least = std::min({least, m.communication, communication_per_call_[rank] * m.calls});
  }
  const Seconds time = slowest + least;
  Joules sum;
  for (const Measurement& m : measurements)
    sum += energy(m, 0, m.computation_in_gear0, time - m.computation_in_gear0);
  return model::Baseline{time, sum};
}

double measured_distance(const std::vector<Measurement>& measurements, double time_ratio) {
  const Seconds time = mean_iteration(measurements);
  Joules sum;
  Joules in_gear0;
  for (const Measurement& m : measurements) {
    sum += energy(m, m.gear, m.computation, time - m.computation);
    // Of the iterations that ran in these gears: others had more to do, or less.
    const Seconds computation =
        m.computation / model::stretch(m.node.type.gears.scale(m.gear), m.sensitivity);
    in_gear0 += energy(m, 0, computation, std::max(time / time_ratio - computation, Seconds{}));
  }
  return 1 / time_ratio - sum / in_gear0;
}

} // namespace hypermile::runtime
