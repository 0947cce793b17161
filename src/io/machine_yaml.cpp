#include "io/machine_yaml.hpp"

#include "units/parse.hpp"

#include <fmt/format.h>

namespace hypermile::io {
namespace {

/// One value for all gears, or one per gear.
std::vector<Watts> read_watts(const YamlReader& at, std::size_t gears) {
  std::vector<Watts> watts;
  if (at.is_scalar())
    return std::vector<Watts>(gears, not_negative(at, parse_watts));
  at.for_each([&](const YamlReader& gear) { watts.push_back(not_negative(gear, parse_watts)); });
  if (watts.size() != gears)
    at.fail(fmt::format("has {} values, but the type has {} gears", watts.size(), gears),
            "one value per gear, or a single one for all");
  return watts;
}

std::vector<model::GearPower> read_power_table(const YamlReader& at, std::size_t gears,
                                               const ValueAt& value) {
  at.expect_keys({"computing", "waiting", "idle"});
  const auto computing = read_watts(value(at.at("computing")), gears);
  const auto waiting = read_watts(value(at.at("waiting")), gears);
  const auto idle = read_watts(value(at.at("idle")), gears);
  std::vector<model::GearPower> power;
  for (std::size_t g = 0; g < gears; ++g) {
    if (computing[g] < waiting[g])
      at.fail(fmt::format("in gear {} computing draws less than waiting", g),
              "check the two lists: both are the power of the whole node");
    power.push_back({computing[g], waiting[g], idle[g]});
  }
  return power;
}

} // namespace

model::GearTable read_gears(const YamlReader& at) {
  if (at.is_sequence()) {
    std::vector<Hertz> frequencies;
    at.for_each(
        [&](const YamlReader& gear) { frequencies.push_back(positive(gear, parse_hertz)); });
    return at.located([&] { return model::GearTable{frequencies}; });
  }
  at.expect_keys({"max", "min", "step"});
  return at.located([&] {
    return model::gear_grid(positive(at.at("max"), parse_hertz),
                            positive(at.at("min"), parse_hertz),
                            positive(at.at("step"), parse_hertz));
  });
}

std::vector<model::GearPower> read_power(const YamlReader& at, const model::GearTable& gears,
                                         const ValueAt& value) {
  if (!at.find("dynamic") && !at.find("static"))
    return read_power_table(at, gears.size(), value);
  at.expect_keys({"dynamic", "static"});
  const Watts dynamic_power = not_negative(value(at.at("dynamic")), parse_watts);
  return model::cubic_power(gears, dynamic_power,
                            not_negative(value(at.at("static")), parse_watts));
}

void expect_schema(const YamlReader& at, std::string_view schema) {
  const YamlReader value = at.at("schema");
  if (value.text() != schema)
    value.fail(fmt::format("'{}' is not a schema that this version reads", value.text()),
               std::string(schema));
}

} // namespace hypermile::io
