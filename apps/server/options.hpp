#pragma once

#include "server/steps.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apps::server {

/// What a user can choose; see help().
struct Options {
  double rate = 100; ///< arrivals per second, on average over a day
  double swing = 0;  ///< of the rate, 0 to 1
  double day = 60;   ///< seconds
  Steps rate_steps;
  double work = 1000;                  ///< of an item, microseconds of CPU time
  std::optional<std::uint64_t> points; ///< of an item, instead
  Steps phases;                        ///< of the work
  std::optional<double> duration;      ///< seconds
  unsigned threads = 0;                ///< 0: one for each CPU
  std::size_t queue = 10'000;          ///< most items that wait
  std::uint64_t seed = 1;
  bool saturate = false;
  bool verbose = false;
  bool help = false;
  std::string error; ///< empty: none
};

Options read_options(const std::vector<std::string_view>& arguments);

std::string help();

} // namespace apps::server
