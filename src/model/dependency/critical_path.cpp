#include "model/dependency/dependencies.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::model::dependency {

/// One pass that remembers of each step when it ended and which step it waited for.
struct Dependencies::History {
  std::vector<double> ends;          ///< by step
  std::vector<std::uint32_t> causes; ///< by step: the step that decided when it ended; or nothing
  std::vector<bool> waited;          ///< by step: a slot decided, and not what its rank did before
  std::vector<std::uint32_t> last;   ///< by rank: its last step
};

Dependencies::History Dependencies::remember(std::span<const double> scales) const {
  Workspace workspace;
  start(workspace);
  workspace.scales_.assign(scales.begin(), scales.end());
  std::vector<std::uint32_t> producer(slots_, nothing);
  History history{.ends = {}, .causes = {}, .waited = {}, .last = std::vector(ranks(), nothing)};
  history.ends.reserve(steps_.size());
  history.causes.reserve(steps_.size());
  history.waited.reserve(steps_.size());
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const double ready =
        workspace.clocks_[step.rank] + static_cast<double>(step.computation) * scales[step.rank];
    const double kept = step.kind == Step::Kind::store_max ? workspace.slots_[step.a] : 0;
    run(s, s + 1, workspace);
    std::uint32_t cause = history.last[step.rank];
    bool waited = false;
    if (step.kind == Step::Kind::store || (step.kind == Step::Kind::store_max && ready >= kept))
      producer[step.a] = s;
    if (step.kind == Step::Kind::wait || step.kind == Step::Kind::join) {
      const bool b_is_later = workspace.slots_[step.b] > workspace.slots_[step.a];
      const std::uint32_t slot = b_is_later ? step.b : step.a;
      const double cost = step.kind == Step::Kind::wait ? static_cast<double>(step.cost) : 0;
      waited = workspace.slots_[slot] + cost > ready;
      if (waited)
        cause = producer[slot];
    }
    history.ends.push_back(workspace.clocks_[step.rank]);
    history.causes.push_back(cause);
    history.waited.push_back(waited);
    history.last[step.rank] = s;
  }
  return history;
}

Seconds Dependencies::end_of(std::uint32_t rank, const History& history,
                             std::span<const double> scales) const {
  const std::uint32_t last = history.last[rank];
  return Seconds{(last == nothing ? begins_[rank] : history.ends[last]) +
                 after_[rank] * scales[rank]};
}

std::uint32_t Dependencies::last_rank(const History& history,
                                      std::span<const double> scales) const {
  std::uint32_t latest = 0;
  for (std::uint32_t r = 1; r < ranks(); ++r)
    if (end_of(r, history, scales) > end_of(latest, history, scales))
      latest = r;
  return latest;
}

/// A step that waited began when what it waited for was there: the computation before it was not
/// on the path, not even where its own rank was what it waited for (a receive posted last).
Dependencies::PathStep Dependencies::path_step(std::uint32_t s, const History& history,
                                               std::span<const double> scales) const {
  const Step& step = steps_[s];
  const bool waited = history.waited[s];
  const std::uint32_t cause = history.causes[s];
  const bool costs =
      step.kind == Step::Kind::pass || step.kind == Step::Kind::join || (step.kind == Step::Kind::wait && waited);
  return {.rank = step.rank,
          .event = event_of_[s] - first_[step.rank],
          .waited = waited,
          .from = cause == nothing ? step.rank : steps_[cause].rank,
          .computing =
              Seconds{waited ? 0 : static_cast<double>(step.computation) * scales[step.rank]},
          .inside = Seconds{costs ? static_cast<double>(step.cost) : 0},
          .end = Seconds{history.ends[s]}};
}

std::vector<Seconds> Dependencies::critical_computing(std::span<const double> scales) const {
  const History history = remember(scales);
  const std::uint32_t latest = last_rank(history, scales);
  std::vector<Seconds> computing(ranks());
  computing[latest] += Seconds{after_[latest]};
  for (std::uint32_t s = history.last[latest]; s != nothing; s = history.causes[s])
    if (!history.waited[s])
      computing[steps_[s].rank] += Seconds{static_cast<double>(steps_[s].computation)};
  return computing;
}

Dependencies::Path Dependencies::critical_path(std::span<const double> scales) const {
  const History history = remember(scales);
  const std::uint32_t latest = last_rank(history, scales);
  Path path{.begin = {}, .steps = {}};
  path.steps.push_back({.rank = latest,
                        .event = nothing,
                        .waited = false,
                        .from = latest,
                        .computing = Seconds{after_[latest] * scales[latest]},
                        .inside = {},
                        .end = end_of(latest, history, scales)});
  for (std::uint32_t s = history.last[latest]; s != nothing; s = history.causes[s])
    path.steps.push_back(path_step(s, history, scales));
  std::ranges::reverse(path.steps);
  const PathStep& first = path.steps.front();
  path.begin = first.end - first.computing - first.inside;
  return path;
}

namespace {

/// The slack of what a rank does, found event by event.
class Slacks {
public:
  void add(double slack, bool computes) {
    least_ = std::min(least_, slack);
    if (computes)
      of_computation_.push_back(slack);
  }
  [[nodiscard]] Dependencies::Slack summary() {
    const auto middle =
        of_computation_.begin() + static_cast<std::ptrdiff_t>(of_computation_.size() / 2);
    std::ranges::nth_element(of_computation_, middle);
    return {.least = positive(least_),
            .typical = positive(of_computation_.empty() ? least_ : *middle)};
  }

private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static Seconds positive(double slack) {
    return Seconds{slack == never ? 0 : std::max(0.0, slack)};
  }
  double least_ = never;
  std::vector<double> of_computation_;
};

} // namespace

std::vector<Dependencies::Slack> Dependencies::slack(std::span<const double> scales) const {
  const History history = remember(scales);
  const double last = end_of(last_rank(history, scales), history, scales).value();
  std::vector<double> latest; // by rank: when what comes before may end
  std::vector<Slacks> slacks(ranks());
  for (std::size_t r = 0; r < ranks(); ++r)
    latest.push_back(last - after_[r] * scales[r]);
  std::vector<double> allowed(slots_, std::numeric_limits<double>::infinity());
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    double& limit = latest[step.rank];
    const double cost = static_cast<double>(step.cost);
    if (step.kind == Step::Kind::store || step.kind == Step::Kind::store_max) // others wait for it
      limit = std::min(limit, allowed[step.a]);
    slacks[step.rank].add(limit - history.ends[s], step.computation > 0);
    if (step.kind == Step::Kind::wait)
      for (const std::uint32_t slot : {step.a, step.b})
        allowed[slot] = std::min(allowed[slot], limit - cost);
    if (step.kind == Step::Kind::join)
      allowed[step.a] = std::min(allowed[step.a], limit - cost);
    if (step.kind == Step::Kind::pass || step.kind == Step::Kind::join)
      limit -= cost;
    limit -= static_cast<double>(step.computation) * scales[step.rank];
  }
  std::vector<Slack> result;
  for (Slacks& rank : slacks)
    result.push_back(rank.summary());
  return result;
}

} // namespace hypermile::model::dependency
