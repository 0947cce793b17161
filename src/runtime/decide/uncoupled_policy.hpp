#pragma once

#include "runtime/decide/node_problem.hpp"
#include "runtime/decide/time_model.hpp"
#include "select/selector.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// The parts of a program that do not wait for each other, each as a problem of its own: what
/// ranks of a part measured is of iterations of that part, which may take longer than another's.
struct Parts {
  std::vector<std::vector<Measurement>> measurements; ///< by part
  NodeProblem nodes; ///< of all, in the order of their first ranks; `cluster`: the part
};

/// Of a `hybrid` program a part is the nodes of one site, of an `async` one a node, else it is all.
[[nodiscard]] Parts parts_of(const std::vector<Measurement>& all, TimeModelKind kind);

/// How many sites the nodes of these ranks name; 0: none, a node without a name is a site, too.
[[nodiscard]] std::size_t site_count(const std::vector<Measurement>& all);

/// Chooses gears where nodes or clusters of nodes go on without waiting for all others, by the
/// hybrid or the async model ([F16] chapter 4), from the means of all iterations.
///
/// How many iterations each part does before the program has converged depends on the gears, and
/// nobody knows how: predictions and what is measured are of one iteration of each part.
class UncoupledPolicy {
public:
  UncoupledPolicy(const select::Request& request, const TimeModel& model);

  /// Looks at what ranks told. Whether choices from now on are made here: it was asked for, or
  /// messages turn out to be used or not as time has it, and there are clusters.
  bool takes(const std::vector<Measurement>& all);
  /// Messages were used or not as time had it: no recording tells what other gears would do.
  [[nodiscard]] bool found_timing() const { return found_timing_; }

  Decision choose(const std::vector<Measurement>& all);
  /// Takes measurements of a program that was in gear 0, or in the gears of the last decision.
  /// Returns the time of an iteration against gear 0, as both were measured: the mean of the parts.
  /// None where gear 0 was not measured well.
  std::optional<double> learn(const std::vector<Measurement>& all);
  /// Whether what the last choice comes to is to be looked at soon.
  [[nodiscard]] bool looks_again() const { return first_ || doubtful_; }
  /// The program goes on with another loop, or its iterations have changed.
  void forget();

private:
  struct Iteration {
    Seconds time;  ///< mean of the parts
    Joules energy; ///< sum of the parts, by the power tables
  };
  [[nodiscard]] TimeModelKind kind_of(const std::vector<Measurement>& all) const;
  [[nodiscard]] Iteration iteration(const std::vector<Measurement>& all) const;
  void plan(const Parts& parts, Decision& decision);

  const select::Request& request_;
  TimeModelKind asked_;
  std::vector<bool> tests_; ///< of the timelines' functions
  select::Selector selector_;
  bool found_timing_ = false;
  bool first_ = true;              ///< there was no choice
  std::optional<Iteration> gear0_; ///< as it was measured
  bool doubtful_ = false;          ///< the last gears cost more than gear 0, as measured
  std::string given_up_;           ///< why no gear is tried any more
};

} // namespace hypermile::runtime
