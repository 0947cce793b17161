#pragma once

#include "control/ports.hpp"
#include "estimate/gear_power.hpp"
#include "model/dependency/protocol.hpp"
#include "model/platform.hpp"
#include "model/problem.hpp"
#include "model/timeline.hpp"
#include "runtime/record/outline.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What hypermile's ranks tell each other.
namespace hypermile::runtime {

using Bytes = control::Exchange::Bytes;

/// Node a rank runs on.
struct RankNode {
  std::string name; ///< ranks with the same name share the node and its gear
  model::NodeType type;
  bool power_assumed = false; ///< nobody has told its power
};

/// Stands for a node of which nothing is known.
RankNode unknown_node();

/// What a rank and its node have drawn since MPI_Init.
struct Spent {
  Joules computing{};              ///< by the power table: what the rank's computing added
  Joules waiting{};                ///< likewise, of the whole node, had none of its ranks computed
  std::optional<Joules> metered{}; ///< of the node; by the rank that has its meter
};

/// What a rank had computed, and its node drawn, by a moment.
struct PowerPoint {
  Seconds time;                  ///< on the rank's clock, which the ranks of a node share
  std::size_t gear = 0;          ///< of the node from then on
  Seconds computing{};           ///< of the rank since MPI_Init, or others on its core
  std::optional<Joules> drawn{}; ///< by the rank that has the node's meter
  bool after_gap = false;        ///< gears changed since the point before
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

/// An order that was followed.
struct GearChange {
  Seconds time; ///< since MPI_Init
  /// That the node was in then, on the rank that sets it; the one ordered, on the others.
  std::size_t gear = 0;
  std::size_t iteration = 0;    ///< of the rank's loop, counted from 1
  std::size_t calls = 0;        ///< MPI calls that the rank had made
  Seconds computation{};        ///< what the rank had computed by then since MPI_Init
  std::optional<Joules> energy; ///< what the node had consumed by then since MPI_Init
  /// False: the node was not in the gear that was ordered (it refused it, or none is to be set).
  bool in_effect = true;
  /// Of the time until the next order: in gear 0 all the same, because the program did something
  /// else than what the gear was chosen for; and what the rank computed in that.
  Seconds away{};
  Seconds computation_away{};
  Seconds stolen{}; ///< what others had taken of the rank's time by then, as RankReport's
};

/// What a node had consumed.
struct EnergyReading {
  Seconds time; ///< since MPI_Init
  Joules energy;
};

/// What hypermile can do on a node, told by one of its ranks.
struct NodeAccess {
  std::string backend;        ///< what sets gears: "cpufreq", "emulated"; empty: nothing does
  std::string meter;          ///< what `RankReport::energy` is of; empty: nothing is measured
  bool power_assumed = false; ///< nobody has told the node's power
  /// What it was assumed to be, where that is more than a ratio: a type of the platform, as the
  /// user said, or `generic`, whose gears nobody sets.
  std::string assumed{};
  static constexpr const char* generic = "generic";
  /// What cannot be done, each with its reason and what to do about it.
  std::vector<std::string> remarks{};
};

/// The loop that a rank found, or why it found none.
struct LoopReport {
  enum class Found { nothing, pattern, marker } found = Found::nothing;
  std::string description; ///< what one iteration consists of
  std::size_t phase = 0;   ///< as Measurement::phase
  std::size_t times = 1;   ///< that the program was in it; what follows is of all of them
  std::size_t iterations = 0;
  Seconds first_iteration; ///< when it began, since MPI_Init
  Seconds total;           ///< of all its iterations
  Seconds computation{};   ///< in these
  std::size_t calls = 0;   ///< of MPI, in these
  // What the rank had done before the first iteration, since MPI_Init:
  std::size_t calls_before = 0;
  Seconds computation_before{};
};

/// Mean of the iterations since the last order that a rank followed.
struct LastIterations {
  std::size_t phase = 0; ///< as Measurement::phase
  std::size_t iterations = 0;
  Seconds computation{};   ///< as it passed
  Seconds communication{}; ///< waiting included
  double calls = 1;        ///< of MPI
  /// Share of their time while the rank wanted its core and other programs had it.
  double stolen = 0;
};

/// What the next run of the job can learn of a rank.
struct Lesson {
  Outline outline;              ///< of the whole run
  model::RankTimeline timeline; ///< while its gear did not change; no events: none were recorded
};

/// Gears that a run began in because of earlier ones, and what was expected of it.
struct PlannedRun {
  std::string origin{};       ///< a file
  std::size_t runs = 1;       ///< that it rests on
  model::Baseline baseline{}; ///< the whole run in gear 0
  Seconds time{};             ///< the whole run in these gears
  Joules energy{};
};

/// How a node was in its wait gear, in which it draws less while all of its ranks wait.
struct WaitGearUse {
  bool set = false;     ///< false: it would have been
  bool pays = false;    ///< by the power table, in the gear that the node began in
  std::size_t gear = 0; ///< the last one
  std::size_t times = 0;
  Seconds time{};   ///< in all
  Joules saved{};   ///< by the power table, against waiting in the gears to compute in
  Seconds late{};   ///< ranks computed already, or would have
  Seconds cost{};   ///< what the node's ranks lost by that
  Seconds change{}; ///< what a change of gears took as the program began
  Seconds cpu{};    ///< CPU time of the thread that changes gears
  /// Why it is not set, or not any more; empty: it is.
  std::string problem{};
  bool operator==(const WaitGearUse&) const = default;
};

/// What became of a rank from MPI_Init to MPI_Finalize.
struct RankReport {
  int rank = 0;
  RankNode node;
  LoopReport loop{};                ///< the last one, since the program was in it last
  std::vector<LoopReport> phases{}; ///< one of each phase, by their begin, with all its times
  std::vector<GearChange> changes{};
  std::size_t gear = 0; ///< at the end
  /// The fastest that a cap on peak power has left to the node. On a real machine 0: there the
  /// others are left out of `node`.
  std::size_t fastest = 0;
  Seconds time{};
  Seconds computation{};
  Seconds communication{};
  // Hypermile's own, as far as it delayed the program:
  Seconds overhead{}; ///< of choices, messages, and the search for the loop
  Seconds watching{}; ///< of the program's MPI calls
  /// For so long the rank's calls were not watched, as that would have cost too much.
  Seconds unwatched{};
  /// Hypermile's in MPI_Init, and in MPI_Finalize until all ranks were there: what it takes, and
  /// what it waits for other ranks. The least of all ranks' is what it took.
  Seconds in_init{};
  Seconds in_finalize{};
  std::size_t calls = 0;          ///< of MPI
  std::optional<Joules> energy{}; ///< of the whole node
  /// Likewise, in the course of the run, besides those in `changes`; on a real machine only.
  std::vector<EnergyReading> readings{};
  std::size_t switches = 0;    ///< of the node's gear, by whatever; counted in a simulation only
  std::size_t divergences = 0; ///< calls that a replayed recording did not have
  /// Calls that it did not have next, and had others like them.
  std::size_t from_like_calls = 0;
  std::vector<PowerPoint> power{}; ///< as Measurement::power
  std::string
      meter_dropped{};   ///< why what its meter says is not believed; empty: it is, or none is
  std::string failure{}; ///< what hypermile could not do, e.g. set a gear, or who undid it
  std::optional<NodeAccess> access{};   ///< of one rank per node, on a real machine
  std::optional<LastIterations> last{}; ///< none where there was no order, or none since
  std::string departed{};               ///< why it gave up the gears that were planned
  std::optional<Lesson> lesson{};       ///< where the run is to be remembered
  /// How long the rank wanted its core and other programs had it; none: nobody knows.
  std::optional<Seconds> stolen{};
  std::optional<WaitGearUse> wait_gear{}; ///< of one rank per node, where it was asked for
};

/// Which model a choice of gears rests on.
enum class TimeModelKind {
  automatic,  ///< `dependency` where every rank's events are there, else `cluster`; where messages
              ///< are used or not as time has it, `hybrid`, or else `cluster`
  cluster,    ///< the slowest rank, and the least time in MPI: [F16] Eq. 3.1-3.4
  dependency, ///< who waits for whom; the cluster model where that is not known
  hybrid,     ///< ranks wait for those of their cluster alone: [F16] Eq. 4.2, 4.4-4.7
  async       ///< nobody waits: [F16] Eq. 4.1
};

/// What Decision::violated names.
inline constexpr const char* bound_given_up = "max_slowdown";
inline constexpr const char* cap_given_up = "power_cap";

/// What gears came to before they were left because the program had changed: it takes some
/// iterations to notice that. Against gear 0, by the model.
struct Misfit {
  Seconds time{};
  double time_ratio = 1;
  double energy_ratio = 1;
};

/// A choice of gears as it was made while the program ran.
struct Decision {
  TimeModelKind time_model = TimeModelKind::cluster; ///< never `automatic`
  bool before_loop = false; ///< from what the ranks had computed before any loop was known
  std::size_t phase = 0;    ///< that it was made for: one of RunReport::phases
  bool again = false;       ///< made before, and followed anew as the program was back in its phase
  std::vector<std::string> nodes;
  std::vector<std::size_t> gears; ///< one per node
  model::Baseline baseline;       ///< one iteration in gear 0, as the model sees it
  model::Prediction prediction;   ///< the same with the gears
  bool exact = false;             ///< proven to be the optimum of the model
  std::optional<double> gap;      ///< proven distance from it, in the objective's unit
  /// Bounds that no gears keep: `bound_given_up` where there is a cap on power, which comes first;
  /// `cap_given_up` where no gears keep that.
  std::vector<std::string> violated{};
  std::string declined;       ///< why all nodes stay in gear 0 although a plan was wanted
  std::string stepped_back{}; ///< why these are gears that were chosen before
  /// Time of an iteration in these gears against gear 0, both measured: to be compared with
  /// 1 / prediction.p_norm. None where the nodes were not in these gears, where they had other
  /// ones before the loop was measured in gear 0, where another loop has taken over since, where
  /// iterations vary too much, and where the program ended too soon.
  std::optional<double> measured_time_ratio{};
  std::optional<Misfit> misfit{};
};

/// What gears would have given under another bound on slowdown, predicted of an iteration of the
/// loop that the last gears were chosen for.
struct TradeOff {
  std::optional<double> max_slowdown{}; ///< none: no bound
  double time_ratio = 1;                ///< against gear 0
  double energy_ratio = 1;
  bool in_force = false; ///< this was the bound, and the gears were those of the run
};

/// A few iterations of the loop that the last gears were chosen for, as all ranks recorded them:
/// for people to look at.
struct LoopExample {
  model::Timeline timeline;
  std::optional<Seconds> begin{}; ///< see Dependencies::begin_at()
  double iterations = 0;          ///< about
  std::vector<double> scales{};   ///< by rank: S of the gear that was chosen for it, >= 1
};

/// How much a part of the program reacts to gears, as its iterations in several gears showed; see
/// model::stretch(). A part is the computation before the calls of a function at one place.
struct LearntSensitivity {
  std::string function;    ///< without "MPI_"; empty: all other computation
  std::uint32_t place = 0; ///< of the calls: the first from which a rank calls the function is 1
  double share = 0;        ///< of all computation in the loop, in gear 0
  double value = 1;        ///< mean over its ranks, each by what it computes
  // Where it is with a probability of 95 %:
  double low = 0;
  double high = 1;
  std::size_t phase = 0; ///< of the program, as Decision's
};

/// What nodes of a type draw in each gear, as their meters showed while the program ran.
struct LearntPower {
  model::NodeType type;      ///< with the power that was believed before
  bool assumed = false;      ///< which is an assumption; else it is a platform's
  std::size_t nodes = 0;     ///< that this run learnt it from
  bool from_earlier = false; ///< runs, too
  bool in_use = false;       ///< gears were chosen by it
  std::string why_not{};     ///< they were not, if anything was learnt
  double noise = 0;          ///< standard deviation of the power of a second, relative to it
  struct OfGear {
    Seconds metered{}; ///< in this gear; 0: what is told follows from other gears
    // W
    estimate::Estimate computing{};
    estimate::Estimate waiting{};
    /// Another gear, which is no slower and draws less for sure: no choice uses this one.
    std::optional<std::size_t> beaten_by{};
  };
  std::vector<OfGear> gears{}; ///< by gear
  /// By gear: what choices use. Without those that another one beats a platform may have it.
  std::vector<model::GearPower> table{};
  /// What it follows from, for the next run: by gear, those that some node was in.
  estimate::NodeSums sums{};
};

/// What rank 0 knows when the program has ended.
struct RunReport {
  std::vector<RankReport> ranks; ///< by rank
  std::vector<Decision> decisions;
  /// For which gears were chosen: by rank, the loop that it was in (LoopReport::phase).
  std::vector<std::vector<std::size_t>> phases{};
  std::vector<int> without_loop;     ///< ranks for whose loop a choice was still waiting
  std::optional<PlannedRun> plan{};  ///< that it began in
  std::vector<std::string> learnt{}; ///< what became of `run --learn`
  /// By ascending bound, the one without last; empty: nobody asked, or nothing was chosen.
  std::vector<TradeOff> trade_offs{};
  /// Empty: nothing reacts less than in full, as far as is known.
  std::vector<LearntSensitivity> sensitivities{};
  std::vector<LearntPower> power{}; ///< by type; empty: no meter told anything
  Seconds in_finalize{};            ///< of rank 0, after all ranks were there
  /// How the MPI library moves messages; none: its configuration does not say so.
  std::optional<model::dependency::Protocol> protocol{};
  std::optional<LoopExample> example{}; ///< none: nobody asked, or the choice rested on no events
};

using Message = std::variant<Measurement, EarlyMeasurement, Drifted, Remeasure, Ask, GearOrder,
                             Withdrawal, RankReport, Stay>;

Bytes encode(const Message& message);
/// Throws Error{hardware} for bytes that encode() did not make.
Message decode(const Bytes& bytes);

/// The report as bytes, for the launcher of a job and for files; and as decode() for reading them.
std::string encode_run(const RunReport& run);
RunReport decode_run(std::string_view bytes);

} // namespace hypermile::runtime
