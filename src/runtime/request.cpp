#include "runtime/request.hpp"

#include "io/plan_json.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::runtime {

std::optional<select::Request> to_request(const Settings& settings) {
  if (settings.method == "none")
    return std::nullopt;
  const auto method = io::method_named(settings.method);
  if (!method)
    throw Error(ErrorKind::config,
                fmt::format("HYPERMILE_METHOD: '{}' is not a method", settings.method),
                "exact, alg5, slack or none");
  const auto objective = io::objective_named(settings.objective);
  if (!objective)
    throw Error(ErrorKind::config,
                fmt::format("HYPERMILE_OBJECTIVE: '{}' is not an objective", settings.objective),
                "maxdist, edp, energy or time");
  select::Request request;
  request.method = *method;
  request.objective = *objective;
  return request;
}

} // namespace hypermile::runtime
