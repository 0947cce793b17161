#pragma once

#include "runtime/pmpi/observe/observer.hpp"

#include <tuple>

namespace hypermile::runtime::pmpi {

/// How to call a function of MPI and tell the observer what it did: `call` takes PMPI's function
/// and its arguments, and returns what that returned. Specialised in observed_*.hpp; here what
/// holds for all others: they wait for nobody, or cannot be followed.
template <Function function> struct Observed {
  static int call(Observer& observer, auto* pmpi, auto... arguments) {
    const int error = pmpi(arguments...);
    if (kind(function) == Kind::one_sided)
      observer.cannot_follow("it is one-sided communication");
    return error;
  }
};

/// The arguments of a function that come last.
template <class... Arguments> auto last(Arguments... arguments) {
  return std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
}

} // namespace hypermile::runtime::pmpi
