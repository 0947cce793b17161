#pragma once

#include "estimate/gear_power.hpp"
#include "model/platform.hpp"
#include "runtime/decide/power_readings.hpp"
#include "runtime/exchange/run_report.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::runtime {

/// Learns what nodes draw in each gear while they compute and while they wait, per node type, from
/// what the ranks of nodes with a meter tell while the program runs. What is told once is summed
/// up, so that a long run needs no more memory than a short one.
///
/// Meters that cannot be right are not believed: those of equal nodes that differ by nearly a
/// factor of two. Which of few is wrong nobody can say; where most agree, the others are.
class PowerLearner {
public:
  /// `earlier`: what earlier runs have learnt, which counts half.
  explicit PowerLearner(const std::vector<LearntPower>& earlier = {});

  /// What a rank tells of its node. Points that make no sense teach nothing.
  void add(int rank, const RankNode& node, const std::vector<PowerPoint>& points);
  /// What the meter of this node has said, and will say, is wrong.
  void drop(const std::string& node);

  /// What nodes of this type draw by gear, where that is known for sure enough that gears may be
  /// chosen by it; else none.
  [[nodiscard]] std::optional<std::vector<model::GearPower>> table_of(const RankNode& node);
  /// For each gear of nodes of this type another one that surely is no slower and draws less; none:
  /// nobody knows one. Empty where there is no table.
  [[nodiscard]] std::vector<std::optional<model::Gear>> beaten_of(const RankNode& node) const;
  /// Of types that any meter told something of. `in_use`: table_of() has been asked for, and given.
  [[nodiscard]] std::vector<LearntPower> report();
  /// Why the meters of these nodes are not believed, by name.
  [[nodiscard]] const std::map<std::string, std::string>& implausible() const { return dropped_; }

private:
  struct Node {
    std::string type; ///< key
    PowerReadings readings;
  };
  struct Type {
    RankNode example; ///< a node of it
    estimate::NodeSums earlier{};
    bool in_use = false;
    std::optional<LearntPower> learnt{}; ///< from all that is known; none: not yet
    bool outdated = true;
  };

  void sum_up();
  [[nodiscard]] std::vector<std::pair<std::string, const Node*>>
  believed(const std::string& type) const;
  void drop_unlike(const std::string& key);
  LearntPower& learn(const std::string& key, Type& type);

  std::map<std::string, Node> nodes_; ///< by name
  std::map<std::string, Type> types_; ///< by what their nodes have in common
  std::map<std::string, std::string> dropped_;
};

/// What was learnt of nodes of this type; null: nothing.
[[nodiscard]] const LearntPower* learnt_of(const std::vector<LearntPower>& all,
                                           const model::NodeType& type);

/// What the meter of the rank's node said is not to be told.
void drop_meter(RankReport& report);

} // namespace hypermile::runtime
