#include "trace/power_steps.hpp"

#include <algorithm>
#include <queue>
#include <vector>

namespace hypermile::trace {
namespace {

using model::dependency::Schedule;

/// When a rank begins and ends to compute, one after the other.
class Toggles {
public:
  explicit Toggles(const Schedule::Rank& rank) : rank_(&rank) {}

  [[nodiscard]] bool at_end() const { return next_ == 2 * rank_->calls.size() + 2; }
  [[nodiscard]] Seconds moment() const {
    if (next_ == 0)
      return rank_->begin;
    const std::size_t call = (next_ - 1) / 2;
    if (call == rank_->calls.size())
      return rank_->end;
    return begins() ? rank_->calls[call].left : rank_->calls[call].entered;
  }
  /// To compute; else to do something else.
  [[nodiscard]] bool begins() const { return next_ % 2 == 0; }
  void advance() { ++next_; }

private:
  const Schedule::Rank* rank_;
  std::size_t next_ = 0;
};

struct Next {
  Seconds moment;
  std::uint32_t rank;
  bool operator>(const Next& other) const { return moment > other.moment; }
};

class Nodes {
public:
  Nodes(const TracedRun& run, const PowerVisitor& visitor)
      : run_(run), visitor_(visitor), computing_(run.nodes.size(), 0),
        node_of_(run.schedule.ranks.size(), 0), told_(run.nodes.size(), -1) {
    for (std::size_t n = 0; n < run.nodes.size(); ++n)
      for (const std::uint32_t rank : run.nodes[n].ranks)
        node_of_[rank] = n;
  }

  void count(std::uint32_t rank, bool begins) {
    const std::size_t node = node_of_[rank];
    computing_[node] += begins ? 1 : -1;
    if (std::ranges::find(touched_, node) == touched_.end())
      touched_.push_back(node);
  }
  /// Tells what is new. The first time: all there is.
  void tell(std::int64_t moment) {
    if (!begun_)
      for (touched_.clear(); touched_.size() < computing_.size();)
        touched_.push_back(touched_.size());
    begun_ = true;
    bool any = false;
    for (const std::size_t node : touched_) {
      if (told_[node] == computing_[node])
        continue;
      told_[node] = computing_[node];
      visitor_.changed(moment, node, power(node));
      any = true;
    }
    touched_.clear();
    if (any)
      visitor_.total(moment, total());
  }

private:
  [[nodiscard]] Watts power(std::size_t node) const {
    return run_.nodes[node].waiting +
           run_.nodes[node].per_rank * static_cast<double>(computing_[node]);
  }
  [[nodiscard]] Watts total() const {
    Watts sum;
    for (std::size_t node = 0; node < computing_.size(); ++node)
      sum += power(node);
    return sum;
  }

  const TracedRun& run_;
  const PowerVisitor& visitor_;
  std::vector<int> computing_; ///< by node: how many of its ranks compute
  std::vector<std::size_t> node_of_;
  std::vector<int> told_; ///< by node
  std::vector<std::size_t> touched_;
  bool begun_ = false;
};

} // namespace

void visit_power(const TracedRun& run, const Ticks& ticks, const PowerVisitor& visitor) {
  Nodes nodes(run, visitor);
  std::vector<Toggles> toggles;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
  for (std::uint32_t rank = 0; rank < run.schedule.ranks.size(); ++rank) {
    toggles.emplace_back(run.schedule.ranks[rank]);
    queue.push({toggles.back().moment(), rank});
  }
  std::int64_t now = ticks.from();
  while (!queue.empty()) {
    const auto [moment, rank] = queue.top();
    queue.pop();
    const std::int64_t at = ticks.at(moment);
    if (at > now)
      nodes.tell(now);
    if (at >= ticks.to()) // what else comes is later
      break;
    now = at;
    Toggles& own = toggles[rank];
    nodes.count(rank, own.begins());
    own.advance();
    if (!own.at_end())
      queue.push({own.moment(), rank});
  }
}

} // namespace hypermile::trace
