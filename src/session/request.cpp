#include "session/request.hpp"

#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace hypermile::session {
namespace {

template <class Value> Value positive(Value value, const std::string& text) {
  if (!(value > Value{}))
    throw Error(ErrorKind::config, fmt::format("a bound of '{}' is not above 0", text));
  return value;
}

/// Sets a bound, or takes it away.
template <class Value, class Read>
void change(std::optional<Value>& bound, const std::string& text, Read read) {
  if (text == "none")
    bound.reset();
  else
    bound = read(text);
}

} // namespace

Rate read_throughput(const std::string& text) { return positive(parse_rate(text), text); }
Watts read_power(const std::string& text) { return positive(parse_watts(text), text); }
Seconds read_deadline(const std::string& text) { return positive(parse_seconds(text), text); }
Joules read_energy(const std::string& text) { return positive(parse_joules(text), text); }

double read_utilisation(const std::string& text) {
  const double share = parse_ratio(text);
  if (!(share > 0 && share <= 1))
    throw Error(ErrorKind::config,
                fmt::format("a utilisation of '{}' is not between 0 and 1", text), "0.9 or 90%");
  return share;
}

double read_items(const std::string& text) {
  double items = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), items);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(items) ||
      items <= 0)
    throw Error(ErrorKind::config, fmt::format("'{}' is not a number of items", text),
                "a number such as 5000 or 1e6");
  return items;
}

steer::Objective read_objective(const std::string& text) {
  if (text == "max-throughput")
    return steer::Objective::most_throughput;
  if (text == "min-power")
    return steer::Objective::least_power;
  if (text == "min-energy")
    return steer::Objective::least_energy;
  throw Error(ErrorKind::config, fmt::format("'{}' is not an objective", text),
              "max-throughput, min-power or min-energy");
}

steer::Bounds changed(const steer::Bounds& bounds, std::string_view request) {
  const auto equals = request.find('=');
  const std::string name(request.substr(0, equals));
  const std::string text(equals == std::string_view::npos ? "" : request.substr(equals + 1));
  steer::Bounds next = bounds;
  if (name == "power")
    change(next.power, text, read_power);
  else if (name == "throughput")
    change(next.throughput, text, read_throughput);
  else if (name == "utilisation")
    change(next.utilisation, text, read_utilisation);
  else if (name == "deadline")
    change(next.deadline, text, read_deadline);
  else if (name == "energy")
    change(next.energy, text, read_energy);
  else if (name == "items")
    change(next.items, text, read_items);
  else if (name == "objective")
    change(next.objective, text, read_objective);
  else
    throw Error(ErrorKind::config, fmt::format("'{}' is not a bound", name),
                "power, throughput, utilisation, deadline, energy, items or objective, e.g. "
                "power=70W");
  if (const std::string wrong = steer::check(next); !wrong.empty())
    throw Error(ErrorKind::config, wrong);
  return next;
}

} // namespace hypermile::session
