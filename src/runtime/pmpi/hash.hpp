#pragma once

#include "runtime/record/mixed.hpp"

#include <cstdint>
#include <type_traits>

namespace hypermile::runtime::pmpi {

/// Hash of those arguments of an MPI call that are numbers: counts, partners, tags, roots.
template <class... Arguments> std::uint64_t hash_numbers(const Arguments&... arguments) {
  std::uint64_t hash = 0;
  const auto take = [&hash](const auto& argument) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(argument)>>)
      hash = mixed(hash, static_cast<std::uint64_t>(argument));
  };
  (take(arguments), ...);
  return hash;
}

/// The same for a Fortran call of the function with these C parameters, where every argument is
/// a reference and every number a Fortran INTEGER.
template <class... Parameters, class... References>
std::uint64_t hash_referenced_numbers(int (*)(Parameters...), References... references) {
  std::uint64_t hash = 0;
  const auto take = [&hash]<class Parameter>(std::type_identity<Parameter>, const void* reference) {
    if constexpr (std::is_same_v<Parameter, int>)
      hash = mixed(hash, static_cast<std::uint64_t>(*static_cast<const int*>(reference)));
  };
  (take(std::type_identity<Parameters>{}, references), ...);
  return hash;
}

} // namespace hypermile::runtime::pmpi
