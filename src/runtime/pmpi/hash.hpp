#pragma once

#include <cstdint>
#include <type_traits>

namespace hypermile::runtime::pmpi {

/// Takes `value` into a hash, such that the order of the values matters.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32);
}

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
