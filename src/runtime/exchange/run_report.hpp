#pragma once

#include "estimate/gear_power.hpp"
#include "model/dependency/protocol.hpp"
#include "model/platform.hpp"
#include "model/problem.hpp"
#include "model/timeline.hpp"
#include "runtime/record/outline.hpp"
#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is known of a run when it has ended.
namespace hypermile::runtime {

/// Node a rank runs on.
struct RankNode {
  std::string name; ///< ranks with the same name share the node and its gear
  model::NodeType type;
  bool power_assumed = false; ///< nobody has told its power
};

/// Stands for a node of which nothing is known.
RankNode unknown_node();

/// What a rank had computed, and its node drawn, by a moment.
struct PowerPoint {
  Seconds time;                  ///< on the rank's clock, which the ranks of a node share
  std::size_t gear = 0;          ///< of the node from then on
  Seconds computing{};           ///< of the rank since MPI_Init, or others on its core
  std::optional<Joules> drawn{}; ///< by the rank that has the node's meter
  bool after_gap = false;        ///< gears changed since the point before
};

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

/// The report as bytes, for the launcher of a job and for files; and read again.
std::string encode_run(const RunReport& run);
/// Throws Error{hardware} for bytes that encode_run() did not make.
RunReport decode_run(std::string_view bytes);

} // namespace hypermile::runtime
