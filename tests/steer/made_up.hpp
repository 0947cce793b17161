#pragma once

#include "steer/search.hpp"
#include "steer/table.hpp"

#include <random>

namespace hypermile::test {

/// What machines the programs run on, beside the ordinary one.
enum class Machine {
  ordinary, ///< one or two sockets, a few cores, a few gears, linear placement
  one_core,
  one_gear,
  one_socket,
  powers_of_two, ///< only 1, 2, 4, ... cores
  interleaved,   ///< two sockets, both placements
  four_sockets   ///< likewise
};
constexpr Machine machines[] = {Machine::ordinary,    Machine::one_core,      Machine::one_gear,
                                Machine::one_socket,  Machine::powers_of_two, Machine::interleaved,
                                Machine::four_sockets};

/// Made-up programs, measured in all configurations of made-up machines: they scale by the
/// Universal Scalability Law, wait for a memory that has its own speed, and no two configurations
/// are quite as smooth as that has it.
class MadeUp {
public:
  explicit MadeUp(unsigned seed) : engine_(seed) {}

  steer::Table program(Machine machine);
  /// One that gets more done, and draws more, with each core and each gear.
  steer::Table monotone(Machine machine);

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  std::size_t integer(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(engine_);
  }

private:
  struct Program;
  Program any_program();
  steer::NodeShape node(Machine machine);
  steer::Table measured(Machine machine, const Program& program);

  std::mt19937 engine_;
};

/// One row per configuration: `cores` x `hertz`, placement linear, on one socket.
steer::Table table_of(const std::vector<std::size_t>& cores, const std::vector<double>& hertz,
                      const std::vector<steer::Performance>& performance);

/// A bound between the least (0) and the most (1) of the table.
Rate throughput_at(const steer::Table& table, double share);
Watts power_at(const steer::Table& table, double share);

/// What is seen of a configuration: the truth, without error.
steer::Measurement seen_of(const steer::Table& table, std::size_t configuration);

/// Runs it over the table until it settles. Returns how many measurements that took.
std::size_t run(steer::Search& search, const steer::Table& table);

/// What a configuration loses against the optimum, as a share of its worth.
double loss(const steer::Table& table, const steer::Goal& goal, std::size_t configuration);

} // namespace hypermile::test
