#pragma once

#include "simulate/explanation.hpp"

namespace hypermile::simulate {

/// The calls of a critical path, all that are alike together, those that cost most first.
[[nodiscard]] std::vector<Explanation::Call>
calls_on(const model::dependency::Dependencies::Path& path, const model::Timeline& timeline);

/// Its longest segments on one rank, the longest first. `run`: of the timeline; its loops tell
/// the iterations.
[[nodiscard]] std::vector<Explanation::Segment>
longest_segments(const model::dependency::Dependencies::Path& path, const model::Timeline& timeline,
                 const runtime::RunReport& run, std::size_t most);

} // namespace hypermile::simulate
