#include "cli/read_option.hpp"

#include "io/plan_json.hpp"
#include "units/parse.hpp"

namespace hypermile::cli {

select::Objective read_objective(const std::string& name) {
  if (const auto objective = io::objective_named(name))
    return *objective;
  throw Error(ErrorKind::config, fmt::format("'{}' is not an objective", name),
              "maxdist, edp, ed2p, edp48, energy or time");
}

double read_slowdown(const std::string& text) { return not_negative(parse_ratio(text), text); }

} // namespace hypermile::cli
