#pragma once

#include "model/dependency/dependencies.hpp"
#include "model/dependency/fair_shares.hpp"

#include <span>
#include <vector>

namespace hypermile::model::dependency {

/// How much messages that are under way at once hold each other up.
struct Contention {
  /// What ranks wait for messages beyond the moment when each would have come had it been alone
  /// on the network: the mean over the ranks, as a share of the time.
  double share = 0;
  /// By how much the time of the recorded run differs when it is computed from the network, as a
  /// share: large where the network is not the one that the recording comes from.
  double misfit = 0;
};

/// The same program of steps, but messages take what a network gives them: first the latency of
/// their route, then their bytes at a rate that they share with whatever else is under way.
/// Collective operations keep their constant costs, and take nothing from the network.
///
/// Moments of the network are passed in their order (a priority queue); a rank is followed from
/// one to the next as far as it gets. A pass takes about a microsecond per message, many times
/// what Dependencies::time() does: for networks that are contended.
class SharedNetwork {
public:
  /// Keeps references to nothing but `dependencies`, which must come from the same matching and
  /// costs. Throws Error{model} where the interconnect does not know a message's route.
  SharedNetwork(const Dependencies& dependencies, const Matching& matching, const Costs& costs,
                const Interconnect& interconnect);

  [[nodiscard]] const Dependencies& dependencies() const { return dependencies_; }
  [[nodiscard]] std::size_t message_count() const { return messages_.size(); }

  /// Reused from pass to pass, so that a pass allocates nothing. Not for two threads at once.
  class Workspace;

  /// As Dependencies::time().
  [[nodiscard]] Seconds time(std::span<const double> scales, Workspace& workspace) const;
  /// As Dependencies::outcome().
  [[nodiscard]] Outcome outcome(std::span<const double> scales) const;
  /// As Dependencies::staged().
  [[nodiscard]] StagedOutcome staged(std::span<const std::vector<ScaleChange>> changes) const;
  /// Of the run that was recorded.
  [[nodiscard]] Contention contention() const;

private:
  class Pass;
  using Step = Dependencies::Step;
  using Kind = Dependencies::Kind;
  using Slot = std::uint32_t;
  struct Travel {       ///< of a message
    double size = 0;    ///< B, as if the rate were that of the links
    double latency = 0; ///< s
    std::uint32_t path = 0;
    bool needs_both = false; ///< sender and receiver; else it starts when it is sent
  };
  void add_messages(const Matching& matching, const Costs& costs, const Interconnect& interconnect);
  void add_steps(const Matching& matching);
  [[nodiscard]] Slot arrival(LinkIndex message) const { return first_arrival_ + message; }
  [[nodiscard]] bool is_arrival(Slot slot) const { return slot >= first_arrival_; }

  const Dependencies& dependencies_;
  RouteTable routes_;
  std::vector<Travel> messages_;
  /// Of a rank after the other, each in its program's order. The slots are those of the
  /// dependencies, and one for the arrival of each message.
  std::vector<Step> steps_;
  std::vector<EventIndex> events_;      ///< by step: the event, counted by rank
  std::vector<std::size_t> first_step_; ///< by rank; and the end
  Slot first_arrival_ = 0;
  std::vector<std::uint32_t> stores_;   ///< by slot: how many steps and arrivals go into it
  std::vector<double> recorded_scales_; ///< by rank
};

class SharedNetwork::Workspace {
  friend class SharedNetwork;
  struct NetworkEvent {
    double time;
    std::uint32_t subject; ///< a message whose latency is over, or a flow that ends
    std::uint32_t stamp;   ///< 0: the former; else the flow's, if it is still valid
    bool operator>(const NetworkEvent& other) const { return time > other.time; }
  };
  struct Flow { ///< a message with a share of links
    LinkIndex message = nothing;
    std::uint32_t stamp = 0;
    double left = 0; ///< B at `since`
    double rate = 0; ///< B/s
    double since = 0;
  };
  std::vector<double> clocks_;
  std::vector<double> scales_;
  std::vector<std::size_t> next_; ///< by rank: its next step
  std::vector<double> slots_;
  std::vector<std::uint32_t> pending_; ///< by slot: stores to come
  std::vector<std::uint32_t> waiter_;  ///< by slot: a rank
  std::vector<std::uint32_t> also_;    ///< by rank: another that waits for the same slot
  std::vector<std::uint32_t> runnable_;
  std::vector<NetworkEvent> queue_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_flows_;
  FairShares shares_;
  std::vector<double> alone_;   ///< by message: when it would have come alone; empty: not asked for
  std::vector<double> held_up_; ///< by rank, s
};

/// Below these shares the one-pass model, whose messages have constant costs, is as good.
inline constexpr double negligible_contention = 0.002;
/// Above this one the network is not trusted.
inline constexpr double largest_misfit = 0.02;

/// Which evaluation fits a recording.
enum class Evaluation { constant_costs, shared_network };
[[nodiscard]] Evaluation fitting_evaluation(const Contention& contention);

} // namespace hypermile::model::dependency
