#pragma once

#include "control/ports.hpp"
#include "model/timeline.hpp"
#include "runtime/exchange/run_report.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

/// What hypermile's ranks tell each other.
namespace hypermile::runtime {

using Bytes = control::Exchange::Bytes;

/// What a rank and its node have drawn since MPI_Init.
struct Spent {
  Joules computing{};              ///< by the power table: what the rank's computing added
  Joules waiting{};                ///< likewise, of the whole node, had none of its ranks computed
  std::optional<Joules> metered{}; ///< of the node; by the rank that has its meter
};

/// A rank has measured its loop: mean of one iteration.
struct Measurement {
  int rank = 0;
  RankNode node;
  bool node_is_known = false;      ///< to rank 0, by an earlier message: the bytes leave it out
  std::size_t phase = 0;           ///< another one where the program goes on with another loop
  std::size_t gear = 0;            ///< of the node while this was measured
  Seconds computation{};           ///< as it passed
  Seconds computation_in_gear0{};  ///< had it been run in gear 0
  Seconds communication{};         ///< waiting included
  double calls = 1;                ///< of MPI
  Seconds elapsed{};               ///< since MPI_Init
  Seconds own{};                   ///< that hypermile took since then
  std::optional<Spent> spent{};    ///< where the average power is capped
  std::vector<PowerPoint> power{}; ///< since it told the last ones; where the node has a meter
  Seconds deviation{};             ///< standard error of the iteration's length; 0: not known
  static constexpr std::size_t all_orders = std::numeric_limits<std::size_t>::max();
  std::size_t orders = all_orders; ///< that the rank had followed when it measured this
  std::size_t loop = 0;            ///< counted from 1: the rank's, as one took over from another
  static constexpr std::size_t many = std::numeric_limits<std::size_t>::max();
  std::size_t measured_iterations =
      many;                ///< of the loop; of its present gear where a bound is kept; 0: none
                           ///< was measured in that, and means are of earlier ones
  double stolen = 0;       ///< share of the time while these passed, see LastIterations
  Seconds computed{};      ///< in all since the first choice for a loop, had it been run in gear 0
  bool of_one_loop = true; ///< all ranks found the same; comparable() tells
  /// Computation of each of the last iterations, had it been run in gear 0; in whatever gear.
  std::vector<Seconds> computations{};
  /// How many times as long as that each of them took; empty: nobody knows.
  std::vector<double> scales{};
  /// How much the rank's computation reacts to gears, as rank 0 has learnt; see model::stretch().
  /// What had it been run in gear 0 is told by who takes that for 1.
  double sensitivity = 1;
  /// First events of the last iterations, ascending, counted from MPI_Init; and the one after them.
  std::vector<std::uint64_t> iterations{};
  /// The latest events of these, where the choice rests on events.
  std::optional<model::RankTimeline> timeline{};
};

/// What a rank has done since MPI_Init while it knows no loop.
struct EarlyMeasurement {
  int rank = 0;
  RankNode node;
  bool node_is_known = false;     ///< as Measurement's
  std::size_t look = 0;           ///< how often ranks have looked by now, or could have
  Seconds elapsed{};              ///< since MPI_Init
  Seconds computation_in_gear0{}; ///< since then
};

/// A rank's iterations are no longer what they were at the last choice.
struct Drifted {
  int rank = 0;
  std::size_t orders = 0; ///< that it has followed: what it says is of the time since the last
};

/// The last choice no longer fits: measure the loop from now on, as soon as it has repeated.
struct Remeasure {};

/// A look before any loop was known has changed nothing: no order comes of it.
struct Stay {};

/// Others wait for what a rank has measured, which has told nothing yet, or long before them: it is
/// to tell what it has by now.
struct Ask {
  bool meant = false; ///< this rank is; others do nothing
};

/// Rank 0 has chosen.
struct GearOrder {
  std::size_t gear = 0;
  bool set_it = false;      ///< this rank is the one of its node that sets the gear
  bool look_again = false;  ///< measure the loop in this gear as soon as it has repeated
  bool before_loop = false; ///< nobody's loop has been measured for it
  bool any_gear = false;    ///< some node is to be in another gear than 0
  /// The loop is not to be measured for the next choice before so many more iterations than when
  /// the rank told of it.
  std::size_t after = 0;
};

/// To rank 0: the sender takes part in no choice any more, as hypermile failed there. From rank 0:
/// no gears are chosen any more.
struct Withdrawal {};

/// From rank 0 at the end of the program: ranks that report what they recorded between two orders
/// are to do that of the same two.
struct CommonStage {
  std::size_t orders = 0; ///< that a rank had followed by then
};

using Message = std::variant<Measurement, EarlyMeasurement, Drifted, Remeasure, Ask, GearOrder,
                             Withdrawal, RankReport, Stay, CommonStage>;

Bytes encode(const Message& message);
/// Throws Error{hardware} for bytes that encode() did not make.
Message decode(const Bytes& bytes);

} // namespace hypermile::runtime
