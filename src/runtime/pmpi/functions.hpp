#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hypermile::runtime::pmpi {

enum class Kind : std::uint8_t {
  timing,    ///< not communication: the clock, hypermile's own marker
  lifecycle, ///< MPI_Init, MPI_Finalize
  point_to_point,
  completion,
  poll,
  collective,
  setup,
  one_sided,
  file
};

/// Every function that is watched; the order is that of the table.
enum class Function : std::uint16_t {
  Init,
  Finalize,
  Wtime,
  Sleep,
  Iteration,
#define HM_MPI(name, ...) name,
#include "runtime/pmpi/functions.def"
  count
};

inline constexpr std::size_t function_count = static_cast<std::size_t>(Function::count);

/// Without the prefix "MPI_".
std::string_view name(Function function);
/// None: there is none of this name.
std::optional<Function> function_named(std::string_view name);
Kind kind(Function function);
/// How often it is called depends on time: MPI_Test and its kin, and the clock.
inline bool is_poll(Function function) {
  return kind(function) == Kind::poll || kind(function) == Kind::timing;
}
/// A program calls it again and again until everything has arrived, more or less often: polls, and
/// waits for some of several requests.
inline bool repeats_by_time(Function function) {
  return is_poll(function) || function == Function::Waitsome || function == Function::Waitany;
}
/// It may return only when other ranks have done something: a call that communicates or completes
/// and that is not said to return at once.
bool may_wait(Function function);

} // namespace hypermile::runtime::pmpi
