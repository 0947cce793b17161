#include "steer/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hypermile::test {
namespace {

steer::NodeShape shape(std::size_t cores, std::size_t gears) {
  std::vector<Hertz> frequencies;
  for (std::size_t gear = 0; gear < gears; ++gear)
    frequencies.emplace_back(2.4e9 - 1.2e9 * static_cast<double>(gear) /
                                         static_cast<double>(std::max<std::size_t>(gears - 1, 1)));
  return {.sockets = 1, .cores_per_socket = cores, .gears = model::GearTable(frequencies)};
}

} // namespace

Simulated::Simulated() : Simulated(8, 5) {}

Simulated::Simulated(std::size_t cores, std::size_t gears)
    : space_(steer::all_configurations(shape(cores, gears))) {}

double Simulated::capacity(const steer::Configuration& one, const Behaviour& now) const {
  const auto cores = static_cast<double>(one.cores);
  const double scale = space_.node.gears.scale(one.gear);
  const double slower = (1 - now.memory) * scale + now.memory;
  return now.unit * cores / (1 + now.contention * (cores - 1)) / slower;
}

double Simulated::watts(const steer::Configuration& one, const Behaviour& now, double load) const {
  const double volts = space_.node.volts(0, one.gear);
  const double switching = volts * volts / space_.node.gears.scale(one.gear);
  return idle_watts + now.core_watts * switching * static_cast<double>(one.cores) * load;
}

steer::Performance Simulated::truth(std::size_t configuration, const steer::Goal& goal,
                                    std::size_t phase_index) const {
  const steer::Configuration& one = space_[configuration];
  const Rate most{capacity(one, phases[phase_index])};
  return {most, Watts{watts(one, phases[phase_index], steer::load(goal, most))}};
}

std::optional<std::size_t> Simulated::best(const steer::Goal& goal, std::size_t phase_index) const {
  std::optional<std::size_t> best;
  const auto worth = [&](std::size_t index) {
    return steer::worth(goal, truth(index, goal, phase_index));
  };
  for (std::size_t index = 0; index < space_.size(); ++index)
    if (steer::excess(goal, truth(index, goal, phase_index)) <= 0 &&
        (!best || worth(index) > worth(*best)))
      best = index;
  return best;
}

double Simulated::reported(double items) const {
  return whole_items ? std::floor(items + 1e-9) : items;
}

double Simulated::deviates(double length) {
  const double deviation = noise * std::sqrt(0.1 / length);
  return 1 + deviation * std::normal_distribution<double>()(engine_);
}

steer::Sample Simulated::run(std::size_t configuration, Seconds length) {
  constexpr double slice = 0.01;
  const steer::Configuration& one = space_[configuration];
  const auto slices = static_cast<std::size_t>(std::lround(length.value() / slice));
  const double faster = deviates(length.value());
  const double before = reported(items_);
  double arrived = 0;
  double busy = 0;
  double contended = 0;
  double joules = 0;
  for (std::size_t index = 0; index < slices; ++index, time_ += slice) {
    const Behaviour& now = phases[phase(time_)];
    const double left_to_it = left(time_);
    const double whole = capacity(one, now) * slice * faster;
    const double able = whole * left_to_it;
    double comes = able;
    if (arrivals) {
      comes = arrivals(time_) * slice;
      if (by_chance && comes > 0)
        comes = burst * std::poisson_distribution<int>(comes / burst)(engine_);
    }
    arrived += comes;
    waiting_ += comes;
    const double does = std::min(waiting_, able);
    waiting_ -= does;
    items_ += does;
    const double load = whole > 0 ? does / whole : 0;
    busy += load / static_cast<double>(slices);
    contended += load * (1 - left_to_it) / left_to_it / static_cast<double>(slices);
    joules += watts(one, now, load) * slice;
  }
  energy_ += joules;
  steer::Sample sample{};
  sample.time = Seconds{time_};
  sample.length = length;
  sample.items = reported(items_) - before;
  if (arrivals)
    sample.arrivals = arrived;
  sample.busy = busy;
  sample.contended = tells_contention ? contended : 0;
  sample.power = Watts{joules / length.value()} * deviates(length.value());
  sample.items_so_far = reported(items_);
  sample.energy_so_far = Joules{energy_};
  return sample;
}

Steered::Steered(Simulated simulated, const steer::Bounds& bounds, const std::string& method,
                 const steer::Sampling& sampling)
    : program(std::move(simulated)), controller(program.space(), method, bounds, sampling) {}

void Steered::step() {
  const steer::Action before = controller.action();
  const steer::Sample sample = program.run(before.configuration, before.sample);
  const steer::Action& after = controller.on_sample(sample);
  moments.push_back(
      {sample.time.value(), before.mode, before.configuration, after.configuration, after.reason});
}

void Steered::run_until(double seconds) {
  while (program.time().value() < seconds - 1e-6)
    step();
}

void Steered::settle(double seconds) {
  do
    step();
  while (!steady() && program.time().value() < seconds);
}

double Steered::loss(std::size_t phase) const {
  constexpr double tolerance = 0.01;
  const steer::Goal& goal = account().goal;
  const auto best = program.best(goal, phase);
  const steer::Performance chosen = program.truth(configuration(), goal, phase);
  if (!best || steer::excess(goal, chosen) > tolerance)
    return std::numeric_limits<double>::infinity();
  return 1 - steer::worth(goal, chosen) / steer::worth(goal, program.truth(*best, goal, phase));
}

std::size_t Steered::moves_since(double seconds) const {
  return static_cast<std::size_t>(std::ranges::count_if(moments, [&](const Moment& one) {
    return one.time >= seconds && one.configuration != one.next;
  }));
}

std::string Steered::story() const {
  std::string text;
  for (const Moment& one : moments)
    if (!one.reason.empty() || one.configuration != one.next) {
      const steer::Configuration& next = program.space()[one.next];
      text += fmt::format("{:7.2f} s {}: {} cores, gear {}: {}\n", one.time,
                          steer::name_of(one.mode), next.cores, next.gear, one.reason);
    }
  return text;
}

} // namespace hypermile::test
