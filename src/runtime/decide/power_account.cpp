#include "runtime/decide/power_account.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Of one node, in joules or, divided by the time, in watts.
struct Drawn {
  double table = 0;
  std::optional<double> metered{};
  bool waiting_counted = false;
};

std::map<std::string, Drawn> drawn_by_node(const std::vector<Measurement>& all) {
  std::map<std::string, Drawn> nodes;
  for (const Measurement& m : all) {
    if (!m.spent || !(m.elapsed > Seconds{}))
      continue;
    Drawn& node = nodes[m.node.name];
    node.table += m.spent->computing.value() / m.elapsed.value();
    if (!std::exchange(node.waiting_counted, true)) // its ranks wait at the same time
      node.table += m.spent->waiting.value() / m.elapsed.value();
    if (m.spent->metered)
      node.metered = m.spent->metered->value() / m.elapsed.value();
  }
  return nodes;
}

} // namespace

void PowerAccount::enter(const std::vector<Measurement>& all) {
  double table = 0;
  double metered = 0;
  bool all_metered = true;
  for (const auto& [name, node] : drawn_by_node(all)) {
    table += node.table;
    metered += node.metered.value_or(0);
    all_metered = all_metered && node.metered.has_value();
  }
  if (!(table > 0))
    return;
  constexpr double most = 100; // what is further off is a meter that does not work
  all_metered = all_metered && metered > table / most && metered < table * most;
  average_ = Watts{all_metered ? metered : table};
  per_table_ = all_metered ? metered / table : 1;
}

Watts PowerAccount::allowed(Watts cap) const {
  constexpr double aimed_at = 0.98; // no prediction is surer
  constexpr double least = 0.01;
  constexpr double soon = 2; // by the next choice, when the run has taken half as long again
  const Watts more = soon * std::max(average_ - cap, Watts{});
  return std::max(cap * aimed_at - more, cap * least) / per_table_;
}

} // namespace hypermile::runtime
