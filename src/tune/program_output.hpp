#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// Calibrating collective operations of an MPI library, and making it use what was chosen: the
/// jobs, files and settings around src/collective.
namespace hypermile::tune {

// What the program in src/tune/program prints, one line each.

struct Hello {
  std::string library{};     ///< "openmpi" or "mpich"
  std::size_t processes = 0; ///< as many on each node
  std::size_t nodes = 0;
  std::string version{};

  [[nodiscard]] std::size_t processes_per_node() const { return processes / nodes; }
};
/// A cell begins; its number in the order in which they were asked for.
struct Begin {
  std::size_t cell = 0;
};
struct Timed {
  std::size_t cell = 0;
  Seconds time{};
  Seconds inside{}; ///< how long a process was in the operation, the mean of all
  std::size_t repetitions = 0;
  std::string algorithm{}; ///< that was seen at work; "-": not visible, "?": none that is known
};
/// One message of one size, in simulation.
struct Simulated {
  std::size_t cell = 0;
  Seconds time{};
  Seconds inside{}; ///< as in Timed
  Watts power{};    ///< of all nodes with ranks
};
struct Saw {
  std::size_t processes = 0;
  std::size_t size_b = 0;
  std::string algorithm{}; ///< as in Timed
};
struct Done {};

using Line = std::variant<Hello, Begin, Timed, Simulated, Saw, Done>;

/// None: the line is not the program's. Throws Error{hardware} where it claims to be and is not.
[[nodiscard]] std::optional<Line> parse_line(std::string_view line);

} // namespace hypermile::tune
