// In what two sides differ beside their time and energy.

#include "compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hypermile::compare {
namespace {

using Runs = std::vector<const Run*>;

bool alike(const Fact& one, const Fact& other) {
  if (one.text == other.text)
    return true;
  if (!one.number || !other.number)
    return false;
  const double larger = std::max(std::abs(*one.number), std::abs(*other.number));
  return std::abs(*one.number - *other.number) <= one.tolerance * larger;
}

const Fact* fact_of(const Run& run, const std::string& name) {
  const auto found = std::ranges::find(run.facts, name, &Fact::name);
  return found == run.facts.end() ? nullptr : &*found;
}

/// Names of all facts, in the order in which runs have them.
std::vector<std::string> names_in(const Runs& a, const Runs& b) {
  std::vector<std::string> names;
  for (const Runs* side : {&a, &b})
    for (const Run* run : *side)
      for (const Fact& fact : run->facts)
        if (std::ranges::find(names, fact.name) == names.end())
          names.push_back(fact.name);
  return names;
}

struct Side {
  std::vector<std::string> texts; ///< that differ
  std::vector<const Fact*> facts; ///< null where a run has no such fact
};

Side side_of(const Runs& runs, const std::string& name) {
  Side side;
  for (const Run* run : runs) {
    const Fact* const fact = fact_of(*run, name);
    side.facts.push_back(fact);
    const std::string text = fact == nullptr ? "not told" : fact->text;
    if (std::ranges::find(side.texts, text) == side.texts.end())
      side.texts.push_back(text);
  }
  return side;
}

/// None of its runs says what it is; runs of another kind do not, say.
bool says_nothing(const Side& side) {
  return std::ranges::all_of(side.facts, [](const Fact* fact) { return fact == nullptr; });
}

bool all_alike(const Side& a, const Side& b) {
  const Fact* const first = a.facts.front();
  const auto like_first = [&](const Fact* fact) {
    return first == nullptr || fact == nullptr ? first == fact : alike(*first, *fact);
  };
  return std::ranges::all_of(a.facts, like_first) && std::ranges::all_of(b.facts, like_first);
}

} // namespace

std::vector<Difference> differences_of(const Runs& a, const Runs& b) {
  std::vector<Difference> differences;
  for (const std::string& name : names_in(a, b)) {
    const Side of_a = side_of(a, name);
    const Side of_b = side_of(b, name);
    if (!says_nothing(of_a) && !says_nothing(of_b) && !all_alike(of_a, of_b))
      differences.push_back({name, fmt::format("{}", fmt::join(of_a.texts, " or ")),
                             fmt::format("{}", fmt::join(of_b.texts, " or "))});
  }
  return differences;
}

} // namespace hypermile::compare
