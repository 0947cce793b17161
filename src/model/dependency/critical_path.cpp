#include "model/dependency/dependencies.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hypermile::model::dependency {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

bool stores(const Step& step) {
  return step.kind == Step::Kind::store || step.kind == Step::Kind::store_max;
}

/// The slack of what a rank does, found event by event.
class RankSlack {
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
  static Seconds positive(double slack) {
    return Seconds{slack == never ? 0 : std::max(0.0, slack)};
  }
  double least_ = never;
  std::vector<double> of_computation_;
};

/// Goes back through the steps with what may be late without harm.
class SlackFinder {
public:
  /// `latest`: by rank, when it may have done all its steps.
  SlackFinder(std::vector<double> latest, std::size_t slots)
      : latest_(std::move(latest)), allowed_(slots, never), ranks_(latest_.size()) {}

  /// The steps from the last to the first. `computing`: stretched.
  void pass(const Step& step, double computing, double end) {
    double& limit = latest_[step.rank];
    const double cost = static_cast<double>(step.cost);
    if (stores(step)) // others wait for it
      limit = std::min(limit, allowed_[step.a]);
    ranks_[step.rank].add(limit - end, computing > 0);
    if (step.kind == Step::Kind::wait)
      for (const std::uint32_t slot : {step.a, step.b})
        allowed_[slot] = std::min(allowed_[slot], limit - cost);
    if (step.kind == Step::Kind::join)
      allowed_[step.a] = std::min(allowed_[step.a], limit - cost);
    if (step.kind == Step::Kind::pass || step.kind == Step::Kind::join)
      limit -= cost;
    limit -= computing;
  }

  [[nodiscard]] std::vector<Dependencies::Slack> slack() {
    std::vector<Dependencies::Slack> result;
    for (RankSlack& rank : ranks_)
      result.push_back(rank.summary());
    return result;
  }

private:
  std::vector<double> latest_;  ///< by rank: when what comes before may end
  std::vector<double> allowed_; ///< by slot
  std::vector<RankSlack> ranks_;
};

} // namespace

/// One pass that remembers of each step when it ended and which step it waited for.
struct Dependencies::History {
  std::vector<double> ends;          ///< by step
  std::vector<std::uint32_t> causes; ///< by step: the step that decided when it ended; or nothing
  std::vector<bool> waited;          ///< by step: a slot decided, and not what its rank did before
  std::vector<std::uint32_t> last;   ///< by rank: its last step
  std::vector<double> rank_ends;     ///< by rank: when it had done all its computation

  [[nodiscard]] double end() const { return std::ranges::max(rank_ends); }
  [[nodiscard]] std::uint32_t latest() const {
    return static_cast<std::uint32_t>(std::ranges::max_element(rank_ends) - rank_ends.begin());
  }
};

/// The slot that decided how long a step, which was `ready` then, had to wait; or nothing.
std::uint32_t Dependencies::deciding_slot(const Step& step, double ready,
                                          const Workspace& workspace) {
  if (step.kind != Step::Kind::wait && step.kind != Step::Kind::join)
    return nothing;
  const bool b_is_later = workspace.slots_[step.b] > workspace.slots_[step.a];
  const std::uint32_t slot = b_is_later ? step.b : step.a;
  const double cost = step.kind == Step::Kind::wait ? static_cast<double>(step.cost) : 0;
  return workspace.slots_[slot] + cost > ready ? slot : nothing;
}

Dependencies::History Dependencies::remember(std::span<const double> scales) const {
  Workspace workspace;
  start(workspace);
  workspace.scales_.assign(scales.begin(), scales.end());
  std::vector<std::uint32_t> producer(slots_, nothing);
  History history;
  history.last.assign(ranks(), nothing);
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const double ready = workspace.clocks_[step.rank] + stretched(s, scales[step.rank]);
    const double kept = step.kind == Step::Kind::store_max ? workspace.slots_[step.a] : -never;
    run(s, s + 1, workspace);
    if (stores(step) && ready >= kept)
      producer[step.a] = s;
    const std::uint32_t slot = deciding_slot(step, ready, workspace);
    history.waited.push_back(slot != nothing);
    history.causes.push_back(slot == nothing ? history.last[step.rank] : producer[slot]);
    history.ends.push_back(workspace.clocks_[step.rank]);
    history.last[step.rank] = s;
  }
  for (std::size_t r = 0; r < ranks(); ++r)
    history.rank_ends.push_back((Seconds{workspace.clocks_[r]} + after(r, scales[r])).value());
  return history;
}

/// A step that waited began when what it waited for was there: the computation before it was not
/// on the path, not even where its own rank was what it waited for (a receive posted last).
Dependencies::PathStep Dependencies::path_step(std::uint32_t s, const History& history,
                                               std::span<const double> scales) const {
  const Step& step = steps_[s];
  const bool waited = history.waited[s];
  const std::uint32_t cause = history.causes[s];
  const bool costs = step.kind == Step::Kind::wait ? waited : !stores(step);
  return {.rank = step.rank,
          .event = event_of_[s] - first_[step.rank],
          .waited = waited,
          .from = cause == nothing ? step.rank : steps_[cause].rank,
          .computing = Seconds{waited ? 0 : stretched(s, scales[step.rank])},
          .inside = Seconds{costs ? static_cast<double>(step.cost) : 0},
          .end = Seconds{history.ends[s]}};
}

std::vector<Seconds> Dependencies::critical_computing(std::span<const double> scales) const {
  const History history = remember(scales);
  const std::uint32_t latest = history.latest();
  std::vector<Seconds> computing(ranks());
  if (lasting_time(scales) > Seconds{history.end()} - begin()) {
    std::size_t longest = 0;
    for (std::size_t r = 1; r < lasting_.size(); ++r)
      if (lasting(r, scales[r]) > lasting(longest, scales[longest]))
        longest = r;
    const bool reacts = scaled_[longest] != computation_[longest];
    computing[longest] =
        reacts ? lasting_[longest] * (scaled_[longest] / computation_[longest]) : lasting_[longest];
    return computing;
  }
  computing[latest] += Seconds{after_[latest]};
  for (std::uint32_t s = history.last[latest]; s != nothing; s = history.causes[s])
    if (!history.waited[s])
      computing[steps_[s].rank] += Seconds{static_cast<double>(steps_[s].computation)};
  return computing;
}

Dependencies::Path Dependencies::critical_path(std::span<const double> scales) const {
  const History history = remember(scales);
  const std::uint32_t latest = history.latest();
  Path path{.begin = {}, .steps = {}};
  path.steps.push_back({.rank = latest,
                        .event = nothing,
                        .waited = false,
                        .from = latest,
                        .computing = after(latest, scales[latest]),
                        .inside = {},
                        .end = Seconds{history.end()}});
  for (std::uint32_t s = history.last[latest]; s != nothing; s = history.causes[s])
    path.steps.push_back(path_step(s, history, scales));
  std::ranges::reverse(path.steps);
  const PathStep& first = path.steps.front();
  path.begin = first.end - first.computing - first.inside;
  return path;
}

std::vector<Dependencies::Slack> Dependencies::slack(std::span<const double> scales) const {
  const History history = remember(scales);
  std::vector<double> latest;
  for (std::size_t r = 0; r < ranks(); ++r)
    latest.push_back(history.end() - after(r, scales[r]).value());
  SlackFinder finder(std::move(latest), slots_);
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const double scale = scales[steps_[s].rank];
    finder.pass(steps_[s], stretched(s, scale), history.ends[s]);
  }
  return finder.slack();
}

} // namespace hypermile::model::dependency
