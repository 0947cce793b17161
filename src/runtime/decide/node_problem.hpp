#pragma once

#include "model/dependency/prediction.hpp"
#include "model/problem.hpp"
#include "runtime/exchange/messages.hpp"

#include <string>
#include <vector>

namespace hypermile::runtime {

/// One iteration of the program as a selection problem: a node per entry of `nodes`.
struct NodeProblem {
  std::vector<std::string> nodes;
  std::vector<std::size_t> node_of_rank;
  std::vector<model::TableNode> table;
  double computation_share = 0; ///< largest of any node, in gear 0
};
/// Of measurements that are comparable().
NodeProblem assemble(const std::vector<Measurement>& measurements);

/// The machines of a run, in the order of their first ranks.
[[nodiscard]] std::vector<model::dependency::Node> nodes_of(const std::vector<RankReport>& ranks);

/// Of some rank no iteration was measured in the gear that it is in: what is told of its loop says
/// nothing of the last choice.
[[nodiscard]] bool are_of_earlier_gears(const std::vector<Measurement>& measurements);

/// Whether all that was measured was in gear 0.
[[nodiscard]] bool all_in_gear0(const std::vector<Measurement>& measurements);

/// A rank that was late in one of a few iterations refutes no forecast, and neither do other
/// programs.
[[nodiscard]] bool too_little_to_judge(const std::vector<Measurement>& measurements);

} // namespace hypermile::runtime
