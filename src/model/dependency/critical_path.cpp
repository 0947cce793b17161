#include "model/dependency/dependencies.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::model::dependency {

/// One pass that remembers of each step when it ended and which step it waited for.
struct Dependencies::History {
  std::vector<double> ends;          ///< by step
  std::vector<std::uint32_t> causes; ///< by step: the step that decided when it ended; or nothing
  std::vector<std::uint32_t> last;   ///< by rank: its last step
};

Dependencies::History Dependencies::remember(std::span<const double> scales) const {
  Workspace workspace;
  start(workspace);
  workspace.scales_.assign(scales.begin(), scales.end());
  std::vector<std::uint32_t> producer(slots_, nothing);
  History history{.ends = {}, .causes = {}, .last = std::vector(ranks(), nothing)};
  history.ends.reserve(steps_.size());
  history.causes.reserve(steps_.size());
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const double ready =
        workspace.clocks_[step.rank] + static_cast<double>(step.computation) * scales[step.rank];
    const double kept = step.kind == Kind::store_max ? workspace.slots_[step.a] : 0;
    run(s, s + 1, workspace);
    std::uint32_t cause = history.last[step.rank];
    if (step.kind == Kind::store || (step.kind == Kind::store_max && ready >= kept))
      producer[step.a] = s;
    if (step.kind == Kind::wait || step.kind == Kind::join) {
      const bool b_is_later = workspace.slots_[step.b] > workspace.slots_[step.a];
      const std::uint32_t slot = b_is_later ? step.b : step.a;
      const double cost = step.kind == Kind::wait ? static_cast<double>(step.cost) : 0;
      if (workspace.slots_[slot] + cost > ready)
        cause = producer[slot];
    }
    history.ends.push_back(workspace.clocks_[step.rank]);
    history.causes.push_back(cause);
    history.last[step.rank] = s;
  }
  return history;
}

Dependencies::Path Dependencies::critical_path(std::span<const double> scales) const {
  const History history = remember(scales);
  const auto end_of = [&](std::size_t r) {
    const double end = history.last[r] == nothing ? begins_[r] : history.ends[history.last[r]];
    return end + after_[r] * scales[r];
  };
  std::size_t latest = 0;
  for (std::size_t r = 1; r < ranks(); ++r)
    if (end_of(r) > end_of(latest))
      latest = r;
  Path path{.parts = {}, .computing = std::vector<Seconds>(ranks())};
  path.computing[latest] += Seconds{after_[latest]};
  for (std::uint32_t s = history.last[latest]; s != nothing; s = history.causes[s]) {
    const Step& step = steps_[s];
    // A wait that was decided elsewhere: its own computation was not on the path.
    const std::uint32_t before = history.causes[s];
    const bool own = before == nothing || steps_[before].rank == step.rank;
    const Seconds computing{own ? static_cast<double>(step.computation) * scales[step.rank] : 0};
    if (path.parts.empty() || path.parts.back().rank != step.rank)
      path.parts.push_back({.rank = step.rank,
                            .first = event_of_[s],
                            .last = event_of_[s],
                            .computing = {},
                            .inside = {}});
    PathPart& part = path.parts.back();
    part.first = event_of_[s];
    part.computing += computing;
    const bool costs = step.kind != Kind::store && step.kind != Kind::store_max &&
                       (step.kind != Kind::wait || !own);
    if (costs)
      part.inside += Seconds{static_cast<double>(step.cost)};
    path.computing[step.rank] += computing / scales[step.rank];
  }
  std::ranges::reverse(path.parts);
  return path;
}

std::vector<Seconds> Dependencies::slack(std::span<const double> scales) const {
  const History history = remember(scales);
  double last = 0;
  for (std::size_t r = 0; r < ranks(); ++r)
    last =
        std::max(last, (history.last[r] == nothing ? begins_[r] : history.ends[history.last[r]]) +
                           after_[r] * scales[r]);
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<double> latest; // by rank: when what comes before may end
  std::vector<double> slack(ranks(), never);
  for (std::size_t r = 0; r < ranks(); ++r)
    latest.push_back(last - after_[r] * scales[r]);
  std::vector<double> allowed(slots_, never);
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    double& limit = latest[step.rank];
    slack[step.rank] = std::min(slack[step.rank], limit - history.ends[s]);
    const double cost = static_cast<double>(step.cost);
    if (step.kind == Kind::wait)
      for (const std::uint32_t slot : {step.a, step.b})
        allowed[slot] = std::min(allowed[slot], limit - cost);
    if (step.kind == Kind::join)
      allowed[step.a] = std::min(allowed[step.a], limit - cost);
    if (step.kind == Kind::pass || step.kind == Kind::join)
      limit -= cost;
    if (step.kind == Kind::store || step.kind == Kind::store_max)
      limit = std::min(limit, allowed[step.a]);
    limit -= static_cast<double>(step.computation) * scales[step.rank];
  }
  std::vector<Seconds> result;
  for (const double s : slack)
    result.emplace_back(s == never ? 0 : std::max(0.0, s));
  return result;
}

} // namespace hypermile::model::dependency
