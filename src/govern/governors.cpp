#include "govern/governors.hpp"

#include "govern/adagio.hpp"
#include "govern/countdown.hpp"
#include "govern/fixed_gear.hpp"
#include "govern/foresee.hpp"
#include "govern/ondemand.hpp"

#include <algorithm>
#include <array>

namespace hypermile::govern {
namespace {

/// A simulated node draws nothing for a change of its gear.
constexpr Joules cost_of_changing{};

std::optional<model::Gear> where_it_pays(const model::NodeType& type, model::Gear chosen) {
  return cheaper_waiting_gear(type, chosen, cost_of_changing);
}

constexpr std::array<GovernorRow, 8> rows{{
    {"performance", "gear 0 all the time", "none",
     [](const Node&) -> std::unique_ptr<Governor> { return std::make_unique<FixedGear>(0); }},
    {"powersave", "the slowest gear all the time", "none",
     [](const Node& node) -> std::unique_ptr<Governor> {
       return std::make_unique<FixedGear>(node.type.gears.size() - 1);
     }},
    {"ondemand", "by the load of the last 10 ms, as Linux does", "none",
     [](const Node& node) -> std::unique_ptr<Governor> {
       return std::make_unique<Ondemand>(node);
     }},
    {"countdown", "slowest gear after 500 us in MPI, gear 0 after it", "none",
     [](const Node& node) -> std::unique_ptr<Governor> {
       return std::make_unique<Countdown>(node, slowest_gear);
     }},
    {"adagio", "each task is stretched into its slack", "none",
     [](const Node& node) -> std::unique_ptr<Governor> { return std::make_unique<Adagio>(node); }},
    {"foresee", "a lower gear in waits that the loop says are long", "none",
     [](const Node& node) -> std::unique_ptr<Governor> {
       return std::make_unique<Foresee>(node, where_it_pays);
     }},
    {"exact+wait", "exact, and a lower gear in long waits if that pays", "exact",
     [](const Node& node) -> std::unique_ptr<Governor> {
       return std::make_unique<Countdown>(node, where_it_pays);
     }},
    {"exact+foresee", "exact and foresee together", "exact",
     [](const Node& node) -> std::unique_ptr<Governor> {
       return std::make_unique<Foresee>(node, where_it_pays);
     }},
}};

} // namespace

std::span<const GovernorRow> governors() { return rows; }

const GovernorRow* governor_named(std::string_view name) {
  const auto* const row = std::ranges::find(rows, name, &GovernorRow::name);
  return row == rows.end() ? nullptr : row;
}

std::string governor_names() {
  std::string names;
  for (const GovernorRow& row : rows)
    names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

} // namespace hypermile::govern
