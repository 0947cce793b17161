#include "tune/conditions.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::tune {
namespace {

using collective::Conditions;

/// What keeps both apart; empty: nothing does.
std::string difference(const Conditions& earlier, const Conditions& now) {
  const auto differ = [](std::string_view what, const std::string& a, const std::string& b) {
    return a == b ? "" : fmt::format("the {} was '{}' and is '{}'", what, a, b);
  };
  for (const std::string& found :
       {differ("collective", earlier.collective, now.collective),
        differ("MPI library", std::string(name_of(earlier.library)),
               std::string(name_of(now.library))),
        differ("MPI version", earlier.version, now.version),
        differ("machine", earlier.machine, now.machine),
        differ("source of power", earlier.power_source, now.power_source),
        differ("time per cell", fmt::format("{} s", earlier.seconds_per_cell),
               fmt::format("{} s", now.seconds_per_cell)),
        differ("arrival of processes", arrival_text(earlier.arrival), arrival_text(now.arrival))})
    if (!found.empty())
      return found;
  return "";
}

[[noreturn]] void refuse_to_go_on(const std::string& why) {
  throw Error(ErrorKind::config,
              fmt::format("the calibration that is there was made under other conditions: {}", why),
              "another file: --output FILE");
}

} // namespace

void check_same(const collective::Calibration& earlier, const Conditions& now, std::uint64_t seed) {
  if (const std::string found = difference(earlier.conditions, now); !found.empty())
    refuse_to_go_on(found);
  if (earlier.seed != seed)
    refuse_to_go_on(fmt::format("the seed was {} and is {}", earlier.seed, seed));
}

void check_same_library(const Conditions& one, const Conditions& another) {
  Conditions like = another;
  like.collective = one.collective;
  like.power = one.power;
  like.power_source = one.power_source;
  like.seconds_per_cell = one.seconds_per_cell;
  if (const std::string found = difference(one, like); !found.empty())
    throw Error(
        ErrorKind::config,
        fmt::format("calibrations under different conditions make no rules together: {}", found),
        "one file of rules for each, or the same conditions");
}

} // namespace hypermile::tune
