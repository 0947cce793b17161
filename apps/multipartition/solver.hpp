#pragma once

#include "common/session.hpp"
#include "multipartition/lines.hpp"

#include <vector>

namespace apps::multipartition {

/// Time steps on this rank's cells, with what they need of others'.
class Solver {
public:
  Solver(const Problem& problem, const Session& session, std::uint32_t side);

  void start(const Modes& initial);
  /// The ghosts from all six neighbours, the change, and three solves of it, axis by axis.
  void step();

  /// Of all ranks, on every rank.
  [[nodiscard]] double error(const Modes& known) const;
  [[nodiscard]] double sum_of_squares() const;

private:
  [[nodiscard]] Cell& in_slab(Axis axis, std::uint32_t slab);
  [[nodiscard]] std::vector<double> faces_for(Axis axis, bool next);
  void set_ghosts(Axis axis, bool next, const std::vector<double>& faces);
  void exchange_faces();
  void eliminate(Axis axis);
  void substitute(Axis axis);

  Partition partition_;
  std::vector<Cell> cells_;
  std::vector<Lines> lines_;
};

} // namespace apps::multipartition
