#include "compare/limits.hpp"

#include "compare/words.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::compare {
namespace {

bool is_exceeded(const Quantity& quantity, double limit, bool proven) {
  if (proven)
    return !quantity.ratio || quantity.ratio->high - 1 > limit;
  if (!quantity.difference)
    return quantity.times() - 1 > limit;
  return quantity.ratio && quantity.ratio->low - 1 > limit;
}

std::string sentence(const Pair& pair, const Quantity& quantity, double confidence, double limit,
                     bool is_time) {
  const std::string name = name_of(pair);
  const std::string change =
      is_time
          ? change_text(quantity.times(), quantity.ratio, confidence, "longer", "less time")
          : change_text(quantity.times(), quantity.ratio, confidence, "more energy", "less energy");
  const bool sure = is_exceeded(quantity, limit, false);
  return fmt::format("{} {} {}; {} {} %.", name.empty() ? "B" : name + ": B",
                     is_time ? "took" : "used", change,
                     sure ? "the limit is" : "these runs do not show that it keeps the limit of",
                     percent_text(limit));
}

} // namespace

std::vector<std::string> exceeded(const Comparison& comparison, const Limits& limits) {
  std::vector<std::string> sentences;
  const auto check = [&](const Pair& pair, const Quantity& quantity,
                         const std::optional<double>& limit, bool is_time) {
    if (limit && is_exceeded(quantity, *limit, limits.proven))
      sentences.push_back(sentence(pair, quantity, comparison.confidence, *limit, is_time));
  };
  for (const Pair& pair : comparison.pairs) {
    check(pair, pair.time, limits.max_slowdown, true);
    if (pair.energy)
      check(pair, *pair.energy, limits.max_more_energy, false);
    else if (limits.max_more_energy)
      throw Error(ErrorKind::config,
                  "the energy of a run is not known, and cannot be compared with --max-more-energy",
                  "a meter or a platform for 'hypermile run', or no such limit");
  }
  if (limits.like_for_like && !comparison.differences.empty())
    sentences.push_back(fmt::format("A and B are not like for like: they differ in {}.",
                                    comparison.differences.size() == 1
                                        ? comparison.differences.front().what
                                        : fmt::format("{} things", comparison.differences.size())));
  return sentences;
}

} // namespace hypermile::compare
