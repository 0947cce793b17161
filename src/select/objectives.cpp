#include "select/objectives.hpp"

#include "select/names.hpp"

#include <fmt/format.h>

namespace hypermile::select {
static_assert(in_order_of_enumerators(objective_rows, &ObjectiveRow::objective));

std::span<const ObjectiveRow> objectives() { return objective_rows; }

const ObjectiveRow& row_of(Objective objective) {
  return objective_rows[static_cast<std::size_t>(objective)];
}

std::optional<Objective> objective_named(std::string_view name) {
  return enumerator_named(objective_rows, name, &ObjectiveRow::objective);
}

std::string objective_names() {
  return names_of(objective_rows, [](const ObjectiveRow&) { return true; });
}

std::string difference_in_words(Objective objective, double difference) {
  const std::string_view unit = row_of(objective).unit;
  return unit.empty() ? fmt::format("{:.2g} points", 100 * difference)
                      : fmt::format("{:.3g} {}", difference, unit);
}

} // namespace hypermile::select
