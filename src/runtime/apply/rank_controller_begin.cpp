// Gears that were chosen before the program had done anything.

#include "runtime/apply/rank_controller.hpp"

#include <algorithm>

namespace hypermile::runtime {

void RankController::begin_with(const Decision& decision, bool sets_gear) {
  if (role_ != Role::chooses)
    return;
  const auto node = std::ranges::find(decision.nodes, node_.name);
  if (node == decision.nodes.end())
    return;
  if (coordinator_)
    coordinator_->begin_with(decision);
  follow({.gear = decision.gears[static_cast<std::size_t>(node - decision.nodes.begin())],
          .set_it = sets_gear,
          .before_loop = true});
  early_order_may_come_ = false; // none is on its way
}

} // namespace hypermile::runtime
