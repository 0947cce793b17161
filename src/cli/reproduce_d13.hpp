#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hypermile::cli {

struct D13Options {
  std::vector<std::string> applications{}; ///< only these; empty: all
  bool smpi_factors = false;               ///< SMPI's own, of Gigabit Ethernet
  std::string results{};                   ///< folder for what is finished
  std::size_t jobs = 1;                    ///< simulations at a time
  bool json = false;
  bool quiet = false;
};

/// Estimates and simulates the applications of [D13] 4.3. What is finished is kept, as
/// calibrations, and not simulated again. Returns the exit code. Throws simulate::Interrupted, and
/// Error{hardware} where the folder is somebody else's, or cannot be written.
int reproduce_d13(const D13Options& options);

} // namespace hypermile::cli
