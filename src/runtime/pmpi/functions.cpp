#include "runtime/pmpi/functions.hpp"

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
Kind kind(Function function) { return table[static_cast<std::size_t>(function)].kind; }

} // namespace hypermile::runtime::pmpi
