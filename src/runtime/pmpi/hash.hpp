#pragma once

#include "runtime/record/mixed.hpp"

#include <cstdint>
#include <initializer_list>
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

/// The same for a Fortran call of the function with these C parameters: there every argument is a
/// reference, a number to an INTEGER of the same size. More references than parameters may be
/// given.
template <class... Parameters>
std::uint64_t hash_referenced_numbers(int (*)(Parameters...), auto... references) {
  std::uint64_t hash = 0;
  const std::initializer_list<const void*> all{references...};
  const auto* reference = all.begin();
  const auto take = [&]<class Parameter>(std::type_identity<Parameter>) {
    const void* const number = *reference++;
    if constexpr (std::is_integral_v<Parameter>)
      hash = mixed(hash, static_cast<std::uint64_t>(*static_cast<const Parameter*>(number)));
  };
  (take(std::type_identity<Parameters>{}), ...);
  return hash;
}

} // namespace hypermile::runtime::pmpi
