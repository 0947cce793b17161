#pragma once

#include "model/interconnect.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hypermile::network {

// The vocabulary of timelines and their dependencies.
using namespace model;

/// The routes of an interconnect in the form in which rates are found.
class RouteTable {
public:
  struct Use {
    std::uint32_t link;
    double weight; ///< of a message's rate that the link carries
  };
  struct Path {
    std::uint32_t first_use = 0;
    std::uint32_t uses = 0;
    double penalty = 1; ///< shares are in inverse proportion to it
    double bound = std::numeric_limits<double>::infinity(); ///< B/s
    double alone = std::numeric_limits<double>::infinity(); ///< B/s, without other messages
    double latency = 0;                                     ///< s
  };

  RouteTable() = default;
  explicit RouteTable(const Interconnect& interconnect);
  /// Returns the index of the path. Throws Error{model} where no route is known.
  std::uint32_t add(const Interconnect& interconnect, std::uint32_t from, std::uint32_t to);

  [[nodiscard]] const Path& path(std::uint32_t index) const { return paths_[index]; }
  [[nodiscard]] std::span<const Use> uses(const Path& path) const {
    return {uses_.data() + path.first_use, path.uses};
  }
  [[nodiscard]] std::span<const double> capacities() const { return capacities_; }

private:
  void use(std::uint32_t link, double weight, Path& path);

  std::vector<double> capacities_; ///< B/s, by link
  std::vector<Path> paths_;
  std::vector<Use> uses_;
};

/// The rates of messages that are on their way at once: weighted max-min fairness.
class FairShares {
public:
  using Flow = std::uint32_t; ///< small numbers, used again

  /// Nothing is on its way. The table must stay as it is.
  void reset(const RouteTable& table);
  void add(Flow flow, std::uint32_t path);
  void remove(Flow flow);
  /// Finds the rates again of those that what was added and removed since may concern; these.
  std::span<const Flow> share();
  [[nodiscard]] double rate(Flow flow) const { return flows_[flow].rate; } ///< B/s

private:
  struct FlowState {
    const RouteTable::Path* path = nullptr;
    double rate = 0;
    std::uint64_t seen = 0; ///< round in which it was found to be concerned
  };
  struct LinkState {
    std::vector<Flow> flows;
    double left = 0;  ///< B/s that nobody has yet
    double usage = 0; ///< of those without a rate, per unit of level
    std::uint32_t open = 0;
    bool saturated = false;
    std::uint64_t seen = 0;
  };
  void see(std::uint32_t link);
  void see_flow(Flow flow);
  void collect();
  void prepare();
  [[nodiscard]] double next_level();
  [[nodiscard]] bool stops_at(const FlowState& flow, double level) const;
  void fix(FlowState& flow, double level);

  const RouteTable* table_ = nullptr;
  std::vector<FlowState> flows_;
  std::vector<LinkState> links_;
  std::vector<std::uint32_t> dirty_; ///< links that a flow left
  std::vector<Flow> added_;
  std::uint64_t round_ = 0;
  std::vector<std::uint32_t> concerned_links_;
  std::vector<Flow> concerned_;
  std::vector<Flow> open_; ///< concerned flows without a rate
};

} // namespace hypermile::network
