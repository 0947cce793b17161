#pragma once

#include <cstdlib>
#include <dlfcn.h>

namespace hypermile::runtime::pmpi {

/// The function of that name which this library stands in front of. A program that calls it was
/// linked against it, so it is always there.
template <class Pointer> Pointer next_definition(const char* name) {
  void* const symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr)
    std::abort();
  return reinterpret_cast<Pointer>(symbol);
}

} // namespace hypermile::runtime::pmpi
