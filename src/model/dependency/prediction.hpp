#pragma once

#include "model/dependency/dependencies.hpp"
#include "model/platform.hpp"
#include "model/problem.hpp"

#include <span>
#include <vector>

namespace hypermile::model::dependency {

/// A machine that some ranks of a timeline run on, one per core, all in the node's gear.
struct Node {
  NodeType type;
  std::vector<std::uint32_t> ranks;
};

/// What a recorded program takes with one gear per node:
///
///     T = the longest path through the timeline, computation of rank r taking S(g) times as long
///     E = sum over the nodes of waiting(g) * T + (computing - waiting)(g) / cores * S(g) *
///         computation of its ranks
///
/// for powers of the whole node. A rank that computes adds its core's share of the power between
/// waiting and computing; ranks that wait, and cores without a rank, draw waiting power.
class Predictor {
public:
  /// Reused from prediction to prediction, which then allocates nothing.
  class Workspace {
    friend class Predictor;
    Dependencies::Workspace pass_;
    std::vector<double> scales_;
  };

  /// Keeps a reference to the dependencies. Throws Error{model} unless every rank is on exactly
  /// one node, no node has more ranks than cores, each has a power per gear, and the program takes
  /// time and energy.
  Predictor(const Dependencies& dependencies, std::span<const Node> nodes);

  [[nodiscard]] const Dependencies& dependencies() const { return dependencies_; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }
  [[nodiscard]] std::size_t gear_count(std::size_t node) const { return nodes_[node].gears.size(); }
  [[nodiscard]] const GearTable& gears(std::size_t node) const { return nodes_[node].table; }
  [[nodiscard]] std::span<const std::uint32_t> ranks(std::size_t node) const {
    return nodes_[node].ranks;
  }
  /// The same number for nodes of the same type.
  [[nodiscard]] std::size_t type(std::size_t node) const { return nodes_[node].type; }
  [[nodiscard]] double scale(std::size_t node, Gear gear) const {
    return nodes_[node].gears[gear].scale;
  }
  /// What the node draws all the time.
  [[nodiscard]] Watts waiting(std::size_t node, Gear gear) const {
    return nodes_[node].gears[gear].waiting;
  }
  /// What its ranks' computation takes on top of that, in the whole run.
  [[nodiscard]] Joules computing(std::size_t node, Gear gear) const {
    return nodes_[node].gears[gear].computing;
  }
  /// What it draws while all its ranks compute.
  [[nodiscard]] Watts peak(std::size_t node, Gear gear) const {
    return nodes_[node].gears[gear].peak;
  }
  [[nodiscard]] const Baseline& baseline() const { return baseline_; } ///< all in gear 0

  /// `gears`: one per node. Passes over the timeline once.
  [[nodiscard]] Prediction predict(std::span<const Gear> gears, Workspace& workspace) const;
  /// The energy of such a run that takes so long.
  [[nodiscard]] Joules energy(std::span<const Gear> gears, Seconds time) const;
  /// Of a run whose gears change on the way. `gears`: by rank, one per stage. A node is in the
  /// gear of its first rank, and in that one's last gear until the run ends.
  [[nodiscard]] Prediction predict(const StagedOutcome& outcome,
                                   std::span<const std::vector<Gear>> gears) const;
  /// S of every rank.
  void scales(std::span<const Gear> gears, std::vector<double>& scales) const;

private:
  struct GearFigures {
    double scale;
    Watts waiting;
    Watts per_rank; ///< above waiting, while it computes
    Joules computing;
    Watts peak;
  };
  struct NodeFigures {
    GearTable table;
    std::vector<std::uint32_t> ranks;
    std::size_t type;
    std::vector<GearFigures> gears;
  };
  void add(const Node& node, std::size_t type);

  const Dependencies& dependencies_;
  std::vector<NodeFigures> nodes_;
  Baseline baseline_;
};

} // namespace hypermile::model::dependency
