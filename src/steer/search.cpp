#include "steer/search.hpp"

#include "steer/adaptive.hpp"
#include "steer/bisect.hpp"
#include "steer/li_martinez.hpp"
#include "steer/nornir.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace hypermile::steer {
namespace {

/// Visits everything.
class ExhaustiveSearch final : public Search {
public:
  using Search::Search;

  Step next() override {
    if (visits_.size() < space_.size())
      return {Step::What::visit, visits_.size(), true, "one after the other"};
    const Pick best = best_visited(visits_, goal_);
    return {Step::What::settle, best.configuration, best.keeps_bounds, "the best of all"};
  }
};

using Make = std::function<std::unique_ptr<Search>(const Space&, const Goal&)>;

bool any_goal(const Goal&) { return true; }

/// Where throughput and power rise together, one bound says where to stop.
bool one_bound(const Goal& goal) {
  if (goal.most_energy_per_item || goal.objective == Objective::least_energy)
    return false;
  return goal.objective == Objective::least_power ? goal.least_throughput && !goal.most_power
                                                  : goal.most_power && !goal.least_throughput;
}

bool least_power_for_throughput(const Goal& goal) {
  return one_bound(goal) && goal.objective == Objective::least_power;
}

struct Entry {
  SearchMethod method;
  bool (*supports)(const Goal&);
  Make make;
};

template <class Kind, auto... Choices> Make make() {
  return [](const Space& space, const Goal& goal) -> std::unique_ptr<Search> {
    return std::make_unique<Kind>(space, goal, Choices...);
  };
}

const std::vector<Entry>& entries() {
  using Pick = NornirSearch::Pick;
  static const std::vector<Entry> all{
      {{"adaptive", "hypermile's own: learns, and visits what promises most"},
       any_goal,
       make<AdaptiveSearch>()},
      {{"nornir", "[N16], each pick visited before it is taken"},
       any_goal,
       make<NornirSearch, Pick::verified>()},
      {{"nornir-literal", "[N16] as printed"}, any_goal, make<NornirSearch, Pick::literal>()},
      {{"bisect", "race to wide: all cores before higher gears, bisected"},
       one_bound,
       make<BisectSearch>()},
      {{"limartinez", "Li and Martinez 2006: hill climbing; bounds on throughput only"},
       least_power_for_throughput,
       make<LiMartinezSearch>()},
      {{"exhaustive", "visits everything"}, any_goal, make<ExhaustiveSearch>()},
  };
  return all;
}

const Entry& entry(const std::string& name) {
  const auto found =
      std::ranges::find(entries(), name, [](const Entry& one) { return one.method.name; });
  if (found != entries().end())
    return *found;
  std::vector<std::string> names;
  for (const SearchMethod& method : methods())
    names.push_back(method.name);
  throw Error(ErrorKind::config, fmt::format("there is no method '{}'", name),
              fmt::format("one of {}", fmt::join(names, ", ")));
}

} // namespace

const std::vector<SearchMethod>& methods() {
  static const std::vector<SearchMethod> all = [] {
    std::vector<SearchMethod> list;
    for (const Entry& one : entries())
      list.push_back(one.method);
    return list;
  }();
  return all;
}

bool supports(const std::string& method, const Goal& goal) { return entry(method).supports(goal); }

void require_support(const std::string& method, const Goal& goal) {
  if (!supports(method, goal))
    throw Error(
        ErrorKind::unsupported,
        fmt::format("the method '{}' has no answer to the goal '{}'", method, describe(goal)),
        "the method 'adaptive'");
}

std::unique_ptr<Search> make_search(const std::string& method, const Space& space,
                                    const Goal& goal) {
  require_support(method, goal);
  return entry(method).make(space, goal);
}

} // namespace hypermile::steer
