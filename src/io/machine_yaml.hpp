#pragma once

#include "io/yaml_reader.hpp"

#include "model/platform.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::io {

// What files of platforms and files of components have in common. All of these throw Error{config}
// with file, line and key.

/// A quantity that is not negative.
template <class Q> Q not_negative(const YamlReader& at, Q (*parse)(std::string_view)) {
  const Q quantity = at.as(parse);
  if (quantity < Q{})
    at.fail(fmt::format("'{}' is negative", at.text()));
  return quantity;
}

/// A quantity that is more than 0.
template <class Q> Q positive(const YamlReader& at, Q (*parse)(std::string_view)) {
  const Q quantity = at.as(parse);
  if (quantity <= Q{})
    at.fail(fmt::format("'{}' is not positive", at.text()));
  return quantity;
}

/// The value of a figure, from the place that its key names: the place itself in a platform; in a
/// component its `value`, which stands beside the source.
using ValueAt = std::function<YamlReader(const YamlReader&)>;

/// A list, fastest first, or a grid from `max` down to `min` in equal steps.
model::GearTable read_gears(const YamlReader& at);

/// `dynamic` and `static`, or `computing`, `waiting` and `idle`, for each of the gears.
std::vector<model::GearPower> read_power(const YamlReader& at, const model::GearTable& gears,
                                         const ValueAt& value);

/// This must have a key `schema` with this value.
void expect_schema(const YamlReader& at, std::string_view schema);

} // namespace hypermile::io
