#include "steer/made_up.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hypermile::test {

using model::Placement;

/// Seconds per item and watts are made of these.
struct MadeUp::Program {
  double unit;       ///< items per second of one core at 1 GHz
  double contention; ///< of the Universal Scalability Law
  double coherence;  ///< likewise
  double memory;     ///< share of the time of one core that no gear changes
  double rough;      ///< share that a configuration deviates
  double idle_watts;
  double socket_watts;
  double core_watts; ///< at 1 GHz
};

MadeUp::Program MadeUp::any_program() {
  return {.unit = std::pow(10, uniform(-3, 6)),
          .contention = uniform(0, 0.1),
          .coherence = uniform(0, 2e-3),
          .memory = uniform(0, 0.6),
          .rough = uniform(0, 0.02),
          .idle_watts = uniform(5, 60),
          .socket_watts = uniform(0, 10),
          .core_watts = uniform(0.5, 3)};
}

steer::NodeShape MadeUp::node(Machine machine) {
  std::size_t sockets = integer(1, 2);
  std::size_t cores = integer(2, 8);
  std::size_t gears = integer(2, 6);
  if (machine == Machine::one_core)
    sockets = cores = 1;
  if (machine == Machine::one_gear)
    gears = 1;
  if (machine == Machine::one_socket)
    sockets = 1;
  if (machine == Machine::powers_of_two || machine == Machine::interleaved)
    sockets = 2;
  if (machine == Machine::powers_of_two)
    cores = 8;
  if (machine == Machine::four_sockets)
    sockets = 4;
  std::vector<Hertz> frequencies;
  for (std::size_t gear = 0; gear < gears; ++gear)
    frequencies.emplace_back(1e9 * (2.5 - 1.3 * static_cast<double>(gear) / 6));
  return {sockets, cores, model::GearTable(frequencies)};
}

steer::Table MadeUp::measured(Machine machine, const Program& program) {
  steer::Table table{"made up", steer::all_configurations(node(machine)), {}};
  const steer::NodeShape& shape = table.space.node;
  std::erase_if(table.space.configurations, [&](const steer::Configuration& one) {
    const bool placements = machine == Machine::interleaved || machine == Machine::four_sockets;
    return (machine == Machine::powers_of_two && !std::has_single_bit(one.cores)) ||
           (!placements && one.placement == Placement::interleaved);
  });
  for (const steer::Configuration& one : table.space.configurations) {
    const auto n = static_cast<double>(one.cores);
    const double ghz = shape.gears.frequency(one.gear).value() / 1e9;
    const double sockets = static_cast<double>(active_sockets(shape, one));
    const double scaled = 1 / n + program.contention * (n - 1) / n + program.coherence * (n - 1);
    const double waits = program.memory / std::min(n, 4 * sockets);
    const double seconds = (1 - program.memory) * scaled / ghz + waits;
    const double busy = (1 - program.memory) * scaled / ghz / seconds;
    const double volts = shape.volts(0, one.gear);
    const double watts = program.idle_watts + program.socket_watts * sockets * volts +
                         program.core_watts * n * ghz * volts * volts * (0.4 + 0.6 * busy);
    const auto deviates = [&] { return 1 + uniform(-program.rough, program.rough); };
    const Rate throughput{program.unit / seconds * deviates()};
    table.performance.push_back({throughput, Watts{watts * (0.75 + 0.25 * deviates())}});
  }
  return table;
}

steer::Table MadeUp::program(Machine machine) { return measured(machine, any_program()); }

steer::Table MadeUp::monotone(Machine machine) {
  Program program = any_program();
  program.coherence = 0;
  program.memory /= 4;
  program.rough = 0;
  return measured(machine, program);
}

steer::Table table_of(const std::vector<std::size_t>& cores, const std::vector<double>& hertz,
                      const std::vector<steer::Performance>& performance) {
  std::vector<Hertz> frequencies;
  for (const double one : hertz)
    frequencies.emplace_back(one);
  steer::Table table{
      "by hand", {{1, std::ranges::max(cores), model::GearTable(frequencies)}, {}}, performance};
  for (const std::size_t count : cores)
    for (model::Gear gear = 0; gear < hertz.size(); ++gear)
      table.space.configurations.push_back({count, gear, Placement::linear});
  return table;
}

Rate throughput_at(const steer::Table& table, double share) {
  const auto [least, most] =
      std::ranges::minmax(table.performance, {}, &steer::Performance::capacity);
  return least.capacity + (most.capacity - least.capacity) * share;
}

Watts power_at(const steer::Table& table, double share) {
  const auto [least, most] = std::ranges::minmax(table.performance, {}, &steer::Performance::power);
  return least.power + (most.power - least.power) * share;
}

steer::Measurement seen_of(const steer::Table& table, std::size_t configuration) {
  const steer::Performance& truth = table.performance[configuration];
  return {.capacity = truth.capacity, .power = truth.power};
}

std::size_t run(steer::Search& search, const steer::Table& table) {
  using steer::Step;
  std::size_t visits = 0;
  for (Step step = search.next(); step.what == Step::What::visit; step = search.next()) {
    search.observe(step.configuration, seen_of(table, step.configuration));
    ++visits;
  }
  return visits;
}

double loss(const steer::Table& table, const steer::Goal& goal, std::size_t configuration) {
  const std::size_t best = optimum(table, goal).configuration;
  return 1 - worth(goal, table.performance[configuration]) / worth(goal, table.performance[best]);
}

} // namespace hypermile::test
