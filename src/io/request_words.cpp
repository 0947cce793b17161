#include "io/request_words.hpp"

#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

namespace hypermile::io {

select::Objective parse_objective(const std::string& name) {
  if (const auto objective = select::objective_named(name))
    return *objective;
  throw Error(ErrorKind::config, fmt::format("'{}' is not an objective", name),
              select::objective_names());
}

select::Method parse_method(const std::string& name) {
  if (const auto method = select::method_named(name))
    return *method;
  throw Error(ErrorKind::config, fmt::format("'{}' is not a method", name), select::method_names());
}

double parse_weight(const std::string& text) {
  const double weight = parse_ratio(text);
  if (weight < 0 || weight > 1)
    throw Error(ErrorKind::config, fmt::format("'{}' is not from 0 to 1", text));
  return weight;
}

Joules parse_energy_budget(const std::string& text) {
  const Joules energy = parse_joules(text);
  if (energy < Joules{})
    throw Error(ErrorKind::config, fmt::format("'{}' is negative", text));
  return energy;
}

} // namespace hypermile::io
