#include "runtime/request.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace hypermile::runtime {
namespace {

template <class Value> struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array<Named<select::Method>, 3> methods{
    {{"exact", select::Method::exact},
     {"alg5", select::Method::alg5},
     {"alg5-literal", select::Method::alg5_literal}}};
constexpr std::array<Named<select::Objective>, 1> objectives{
    {{"maxdist", select::Objective::maxdist}}};

} // namespace

std::optional<select::Request> to_request(const Settings& settings) {
  if (settings.method == "none")
    return std::nullopt;
  select::Request request;
  for (const auto& [name, value] : methods)
    if (settings.method == name)
      request.method = value;
  for (const auto& [name, value] : objectives)
    if (settings.objective == name)
      request.objective = value;
  return request;
}

} // namespace hypermile::runtime
