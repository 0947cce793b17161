#pragma once

#include "steer/replay.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace hypermile::steer {

/// Which figure of a program is bounded.
enum class BoundKind { throughput, power };

std::string name_of(BoundKind kind);

/// What a method did with one bound on one table.
struct Case {
  std::string table;
  std::string method;
  BoundKind kind;
  double bound; ///< items per second, or watts
  /// Against the best that keeps the bound, of throughput (under a bound on power) or of power; as
  /// a share. Negative only where it misses the bound.
  double loss;
  bool violated; ///< it settled in a configuration that misses the bound
  std::size_t visits;
  std::size_t measurements; ///< more than visits where one was measured again
  double worst_excess;
};

/// Over all cases of a method and a kind of bound.
struct Summary {
  std::string method;
  BoundKind kind;
  std::size_t cases = 0;
  double mean_loss = 0; ///< of those that keep their bounds
  double worst_loss = 0;
  std::size_t violations = 0;
  double mean_visits = 0;
  double mean_measurements = 0;
  double worst_excess = 0;
};

struct Evaluation {
  std::vector<Case> cases;
  std::vector<Summary> summary; ///< by method, in the order asked for, and kind
};

/// Bounds of a kind that cut the range of a table into ten equal parts: nine. [N16] 5.1
std::vector<double> interior_bounds(const Table& table, BoundKind kind);

/// The goal of [N16]: with a bound on throughput the least power, with one on power the most
/// throughput.
Goal goal_of(BoundKind kind, double bound);

/// Leaves one program out: `adaptive` on each table, with what fit_prior() learns from the others
/// alone. At least two tables. `summary` has its two kinds.
Evaluation leave_one_out(const std::vector<Table>& tables, const Noise& noise);

/// Every method that supports the kind, on every table and bound. `progress` is told how many of
/// all cases are done; it may be empty.
Evaluation evaluate(const std::vector<Table>& tables, const std::vector<std::string>& methods,
                    const Noise& noise,
                    const std::function<void(std::size_t done, std::size_t all)>& progress);

} // namespace hypermile::steer
