#include "runtime/decide/learnt.hpp"

namespace hypermile::runtime {

std::vector<model::Gear> Learnt::gears_of_phase() const {
  if (decisions.empty())
    return {};
  const Decision& last = decisions.back();
  const Decision& chosen =
      level.interrupted && !sets_a_gear(last) ? level.interrupted->decision : last;
  const bool of_phase = chosen.phase == phase && !chosen.before_loop;
  return of_phase && sets_a_gear(chosen) ? chosen.gears : std::vector<model::Gear>{};
}

} // namespace hypermile::runtime
