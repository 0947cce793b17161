#include "runtime/pmpi/functions.hpp"

#include <algorithm>
#include <array>

namespace hypermile::runtime::pmpi {
namespace {

struct Entry {
  std::string_view name;
  Kind kind;
};

constexpr std::array<Entry, function_count> table{{
    {"Init", Kind::lifecycle},
    {"Finalize", Kind::lifecycle},
    {"Wtime", Kind::timing},
    {"Sleep", Kind::lifecycle},
    {"Iteration", Kind::timing},
#define HM_MPI(name, since, fortran, kind, ...) {#name, Kind::kind},
#include "runtime/pmpi/functions.def"
}};

} // namespace

std::string_view name(Function function) { return table[static_cast<std::size_t>(function)].name; }
std::optional<Function> function_named(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Entry::name);
  if (found == table.end())
    return std::nullopt;
  return static_cast<Function>(found - table.begin());
}
Kind kind(Function function) { return table[static_cast<std::size_t>(function)].kind; }

bool may_wait(Function function) {
  const std::string_view called = name(function);
  switch (kind(function)) {
  case Kind::completion:
    return true;
  case Kind::point_to_point:
  case Kind::collective:
    return std::ranges::none_of(std::array<std::string_view, 3>{"I", "Start", "Pready"},
                                [&](auto at_once) { return called.starts_with(at_once); });
  default:
    return false;
  }
}

} // namespace hypermile::runtime::pmpi
