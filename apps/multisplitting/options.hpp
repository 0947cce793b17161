#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apps::multisplitting {

/// What a user can choose; see help().
struct Options {
  std::uint32_t side = 0;      ///< points along each axis
  std::optional<int> clusters; ///< none: 4, or one for each rank if there are fewer
  bool is_asynchronous = false;
  int restart = 10;                         ///< steps of GMRES before it starts again
  int cycles = 1;                           ///< of GMRES in an outer iteration
  double inner_tolerance = 0.01;            ///< by which GMRES reduces the residual of a cluster
  double tolerance = 1e-6;                  ///< of the residual, as a share of the right-hand side
  int limit = 10'000;                       ///< of outer iterations
  std::optional<std::uint64_t> disturbance; ///< seed
  bool verbose = false;
  bool help = false;
  std::string error; ///< empty: none
};

Options read_options(const std::vector<std::string_view>& arguments);

std::string help();

} // namespace apps::multisplitting
