#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::launch {

/// A rank of a job that Slurm is to start, and the frequency of its node.
struct SrunRank {
  std::size_t node = 0; ///< the same number for ranks of the same node
  std::string kind{};   ///< of the node, in words: "type fast"; empty: not known
  std::optional<Hertz> frequency{};
};

/// The line of the shell that starts the job with these frequencies: a step with a component, which
/// has a --cpu-freq of its own, for each run of neighbouring nodes that are alike. The ranks stay
/// where they are: Slurm numbers them component by component, node by node. Where nodes are of
/// several kinds, comments before the line say which component is for which.
/// Throws Error{unsupported} where Slurm cannot do that: a frequency is not known, ranks of one
/// node are not neighbours, or there are more than 128 components.
std::string srun_command(const std::vector<SrunRank>& ranks, const std::string& command);

} // namespace hypermile::launch
