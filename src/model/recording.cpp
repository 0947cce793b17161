#include "model/recording.hpp"

#include <algorithm>

namespace hypermile::model {

std::uint16_t Recording::operation(std::string_view name) {
  const auto found = std::ranges::find(operations, name);
  const auto index = static_cast<std::uint16_t>(found - operations.begin());
  if (found == operations.end())
    operations.emplace_back(name);
  return index;
}

} // namespace hypermile::model
