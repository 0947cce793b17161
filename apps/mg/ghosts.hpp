#pragma once

#include "common/field.hpp"
#include "mg/partition.hpp"

#include <vector>

namespace apps::mg {

/// Fills the ghosts of one level from the neighbours: axis after axis, such that edges and
/// corners arrive as well. An axis that has one rank sends to itself.
class Ghosts {
public:
  /// `next_finer` is this rank's part of the level above; for the finest, the finest again.
  Ghosts(const RankGrid& grid, const LevelPart& part, const LevelPart& next_finer);

  /// Of a field of a rank that has points on this level.
  void exchange(Field& field);

  /// Of ranks that have points on the next finer level alone: these need the ghosts, to
  /// interpolate. Does nothing where there are none of them.
  void extend(Field& field);

private:
  /// The two neighbours that are `distance` places away.
  [[nodiscard]] std::array<int, 2> neighbours(std::size_t axis, std::uint32_t distance) const;
  void send_edges(const Field& field, std::size_t axis, const std::array<int, 2>& to);
  template <typename BetweenPostAndWait>
  void receive_ghosts(Field& field, std::size_t axis, const std::array<int, 2>& from,
                      BetweenPostAndWait between);

  const RankGrid& grid_;
  LevelPart part_;
  bool takes_part_in_finer_;
  std::vector<double> out_;
  std::array<std::vector<double>, 2> in_;
};

} // namespace apps::mg
