#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hypermile::report {

/// What one algorithm costs for all messages of an application.
struct D13Cost {
  Seconds time{};
  Joules energy{}; ///< of its nodes and the switch
};

struct D13Algorithm {
  std::string name; ///< as [D13] has it: "Hybrid/SAG"
  D13Cost estimated{};
  D13Cost by_paper{}; ///< the same with the formulas of the paper
  D13Cost simulated{};
};

/// An application of [D13] 4.3.
struct D13Application {
  std::string name;
  std::size_t messages = 1;
  std::string size;
  std::size_t size_b = 0;
  std::size_t nodes = 1;
  std::size_t processes_per_node = 1;
  std::vector<std::size_t> calibrated_nodes{};
  std::vector<std::string> calibrated_sizes{};
  std::size_t simulated_messages = 1; ///< the others cost as much
  std::string published_least{};
  /// What the nodes and the switch draw while threads copy, and for how long; none: nothing is
  /// copied.
  Watts copying_power{};
  Seconds copying_time{};
  std::vector<D13Algorithm> algorithms{};
};

struct D13Report {
  std::string platform{};
  std::vector<std::string> simgrid_options{};
  std::vector<D13Application> applications{};
};

/// For a terminal of 80 columns.
[[nodiscard]] std::string print_d13(const D13Report& report);
/// hypermile/d13/1.
[[nodiscard]] std::string d13_json(const D13Report& report);

} // namespace hypermile::report
