#pragma once

#include "model/dependency/schedule.hpp"
#include "model/timeline.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hypermile::trace {

/// What somebody who looks at an MPI call wants to know.
struct CallFacts {
  std::string name;                       ///< as the program called it: "MPI_Allreduce"
  std::uint64_t bytes = 0;                ///< of what it began, or else of what it completed
  std::size_t messages = 0;               ///< how many of these are messages
  std::optional<std::int32_t> partner{};  ///< the other rank, where there is one
  std::optional<std::int32_t> tag{};      ///< likewise
  std::optional<std::uint32_t> members{}; ///< of a collective operation: how many ranks take part
};
[[nodiscard]] CallFacts facts_of(const model::dependency::Schedule::Call& call,
                                 const model::RankTimeline& rank,
                                 const std::vector<std::string>& functions);

/// As a program names it: MPI's functions, and what else there is in a recording.
[[nodiscard]] std::string shown_name(const std::string& function);

} // namespace hypermile::trace
