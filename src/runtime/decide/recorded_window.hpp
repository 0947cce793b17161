#pragma once

#include "runtime/decide/decision_budget.hpp"
#include "runtime/exchange/messages.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Of what ranks have told, the part that a choice by the dependency model rests on.
struct RecordedWindow {
  model::Timeline timeline;
  std::optional<Seconds> begin{}; ///< see Dependencies::begin_at()
};

/// Of ranks that keep step the same time, which has what passes between them as it was; of others
/// the same iterations. No more than `decision_budget` says, and the latest. None where too little
/// is told, or some of it is missing. `functions`: as Timeline's. Throws Error{model} where a rank
/// means other functions than this one.
[[nodiscard]] std::optional<RecordedWindow>
recorded_window(const std::vector<Measurement>& measurements,
                const std::vector<std::string>& functions, const DecisionBudget& decision_budget);

} // namespace hypermile::runtime
