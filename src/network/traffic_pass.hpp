#pragma once

#include "model/dependency/stages.hpp"
#include "network/traffic.hpp"

#include <span>
#include <vector>

namespace hypermile::network {

// The vocabulary of timelines and their dependencies.
using namespace model;
using namespace model::dependency;

/// Reused from pass to pass, so that a pass allocates nothing. Not for two threads at once.
class TrafficWorkspace {
public:
  [[nodiscard]] std::span<const double> clocks() const { return clocks_; } ///< by rank, s
  [[nodiscard]] std::span<const double> scales() const { return scales_; } ///< by rank, the last
  /// From now on passes find out by how long ranks wait because messages hold each other up.
  void watch_contention() { watches_ = true; }
  [[nodiscard]] std::span<const double> held_up() const { return held_up_; } ///< by rank, s

private:
  friend class TrafficPass;
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
  bool watches_ = false;
  std::vector<double> alone_;   ///< by message: when it would have come alone
  std::vector<double> held_up_; ///< by rank, s
};

/// One evaluation of a traffic: moments of the network are passed in their order (a priority
/// queue); a rank is followed from one to the next as far as it gets.
class TrafficPass {
public:
  /// `scales`: by rank, S >= 1. `stages`: where scales change on the way; or null.
  TrafficPass(const Traffic& traffic, std::span<const double> scales, TrafficWorkspace& workspace,
              Stages* stages = nullptr);
  /// The clocks of the workspace then say when the ranks had done all their steps.
  void run();

private:
  using Slot = Traffic::Slot;
  using NetworkEvent = TrafficWorkspace::NetworkEvent;
  using Flow = TrafficWorkspace::Flow;

  void follow(std::uint32_t rank);
  bool take(const Step& step, double& clock);
  bool must_wait(const Step& step);
  void note_contention(const Step& step, double clock);
  void store(Slot slot, double moment);
  void start(LinkIndex message, Slot slot);
  void push(NetworkEvent event);
  NetworkEvent pop();
  [[nodiscard]] bool is_valid(const NetworkEvent& event) const;
  void pass_moment();
  void enter(LinkIndex message);
  void leave(std::uint32_t flow, double moment);
  void set_rate(std::uint32_t flow);

  const Traffic& traffic_;
  TrafficWorkspace& w_;
  Stages* stages_;
  double now_ = 0;
};

} // namespace hypermile::network
