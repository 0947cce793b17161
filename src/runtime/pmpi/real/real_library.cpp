// A real MPI's own functions, by their addresses in its libraries: this library may have been
// loaded by another (see preload.c), so that there is no next definition to ask for.

#include "runtime/pmpi/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::runtime::pmpi {
namespace {

[[noreturn]] void give_up(const char* name) {
  fmt::print(stderr, "hypermile: error: the MPI library has no {}; try: another version of it\n",
             name);
  std::_Exit(1);
}

/// What is loaded already under that path.
void* opened(const char* path) { return dlopen(path, RTLD_LAZY | RTLD_NOLOAD); }

/// The MPI library: it has a function that hypermile does not stand in front of.
void* c_library() {
  Dl_info info{};
  void* library = nullptr;
  if (dladdr(reinterpret_cast<void*>(&PMPI_Get_count), &info) != 0)
    library = opened(info.dli_fname);
  return library;
}

/// Null where an older MPI does not have it: then the program does not call it either.
template <class Function> Function definition(void* library, const char* name) {
  return reinterpret_cast<Function>(library == nullptr ? nullptr : dlsym(library, name));
}

Library load() {
  void* const from = c_library();
  return {
#define HM_MPI(name, ...) .name = definition<decltype(&PMPI_##name)>(from, "PMPI_" #name),
#include "runtime/pmpi/declared_functions.def"
      .Init = definition<decltype(&PMPI_Init)>(from, "PMPI_Init"),
      .Init_thread = definition<decltype(&PMPI_Init_thread)>(from, "PMPI_Init_thread"),
      .Finalize = definition<decltype(&PMPI_Finalize)>(from, "PMPI_Finalize"),
      .Abort = definition<decltype(&PMPI_Abort)>(from, "PMPI_Abort"),
      .Wtime = definition<decltype(&PMPI_Wtime)>(from, "PMPI_Wtime")};
}

bool has_fortran(std::string_view path) {
  constexpr std::array libraries{"/libmpi_mpifh", "/libmpi_usempif08", "/libmpichfort"};
  return std::ranges::any_of(libraries, [path](std::string_view library) {
    return path.find(library) != std::string_view::npos;
  });
}

/// Paths only: dl_iterate_phdr() calls back with a lock of the loader held. To open a library there
/// takes the loader's other lock, which a thread that loads a library takes before this one.
std::vector<std::string> fortran_libraries() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* loaded, std::size_t, void* list) {
        if (has_fortran(loaded->dlpi_name))
          static_cast<std::vector<std::string>*>(list)->emplace_back(loaded->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

} // namespace

const Library library = load();

void* fortran_definition(const char* name) {
  for (const std::string& path : fortran_libraries())
    if (void* const symbol = definition<void*>(opened(path.c_str()), name))
      return symbol;
  give_up(name);
}

} // namespace hypermile::runtime::pmpi
