#pragma once

#include "runtime/decide/learnt.hpp"
#include "runtime/decide/time_model.hpp"

#include <map>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// What a choice of gears rested on.
struct ChoiceBasis {
  Decision decision;
  std::vector<Measurement> measurements;
  SlowdownBudget budget; ///< after the choice
  std::map<std::string, double> excess;
  double bias = 1; ///< as Clocked::bias
};

/// What bounds of 0, 3, 5 and 10 %, none, and the one in force, would have made of the choice. The
/// one in force is that of the request, and made of it what was predicted: `in_force`. A looser
/// bound is never told to give less, by the objective, than a tighter one. One that no gears keep
/// besides the caps on power is left out. Empty where nothing can be told, or the method keeps no
/// bounds.
[[nodiscard]] std::vector<TradeOff> trade_offs(const ChoiceBasis& basis, const Decision& in_force,
                                               const select::Request& request,
                                               const TimeModel& model);

} // namespace hypermile::runtime
