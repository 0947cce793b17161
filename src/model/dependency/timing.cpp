#include "model/dependency/timing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace hypermile::model::dependency {
namespace {

/// When a function last found nothing.
struct Looked {
  bool ever = false;
  std::size_t event = 0;
};

} // namespace

std::vector<bool> tests_among(std::span<const std::string> functions) {
  constexpr std::array<std::string_view, 4> tests{"Test", "Testall", "Testany", "Testsome"};
  std::vector<bool> are_tests;
  for (const std::string& function : functions)
    are_tests.push_back(std::ranges::find(tests, function) != tests.end());
  return are_tests;
}

bool depends_on_timing(const RankTimeline& rank, std::span<const std::uint64_t> iterations,
                       const std::vector<bool>& tests) {
  const std::uint64_t before = events_before(rank);
  std::vector<Looked> in_vain(tests.size()); // in iterations before the one of this event
  std::vector<Looked> of_iteration(tests.size());
  auto next = std::ranges::upper_bound(iterations, before);
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    if (next != iterations.end() && before + e >= *next) {
      for (std::size_t f = 0; f < tests.size(); ++f)
        if (of_iteration[f].ever)
          in_vain[f] = of_iteration[f];
      next = std::ranges::upper_bound(next, iterations.end(), before + e);
    }
    const Event& event = rank.events[e];
    const Operation& operation = rank.operations[event.operation];
    const std::size_t f = operation.function;
    if (f >= tests.size() || !tests[f])
      continue;
    if (operation.action == Action::other)
      of_iteration[f] = {true, e};
    if (operation.action != Action::complete || event.started == 0 || event.started > e)
      continue;
    const std::size_t began = e - event.started;
    if (rank.operations[rank.events[began].operation].action == Action::receive &&
        in_vain[f].ever && in_vain[f].event > began)
      return true;
  }
  return false;
}

} // namespace hypermile::model::dependency
