#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::compare {

/// Something that two runs share if they are like for like.
struct Fact {
  std::string name;
  std::string text;
  /// Where it is one; such facts are alike up to the tolerance, which is a share of the larger
  /// number.
  std::optional<double> number{};
  double tolerance = 0;
};

/// How an energy is known, the best first.
enum class EnergyBy { meters, external, emulated, simulation, power_tables, assumed_power };

/// "measured by meters" and so on.
[[nodiscard]] std::string text_of(EnergyBy by);

struct KnownEnergy {
  EnergyBy by;
  Joules energy;
};

/// One run of a program, or one simulated run of it.
struct Run {
  std::string source; ///< the file or folder that it is from
  std::string cell;   ///< of a study: program, class, ranks and platform; else empty
  std::string method; ///< of a simulated run; else empty
  Seconds time;
  std::vector<KnownEnergy> energies{};     ///< the best known first; empty: not known
  std::vector<Fact> facts{};               ///< in the order of the output
  std::optional<double> taken_by_others{}; ///< how much of the ranks' time, 0 to 1; none: not known
  int exit_code = 0;
};

/// The runs in a folder that `hypermile report` takes, or in a file of JSON: hypermile/run/1,
/// simulation/1, sweep/1 or steer/1. Throws Error{config} naming the file for anything else, and
/// where a run took no time.
[[nodiscard]] std::vector<Run> read_results(const std::string& path);

/// The same of the text of such a file, whose name is used in messages only.
[[nodiscard]] std::vector<Run> parse_results(const std::string& text, const std::string& file);

} // namespace hypermile::compare
