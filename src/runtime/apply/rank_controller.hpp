#pragma once

#include "control/ports.hpp"
#include "runtime/apply/energy_readings.hpp"
#include "runtime/apply/meter_watch.hpp"
#include "runtime/apply/power_history.hpp"
#include "runtime/apply/stolen_time.hpp"
#include "runtime/apply/watching_cost.hpp"
#include "runtime/decide/coordinator.hpp"
#include "runtime/exchange/messages.hpp"
#include "runtime/exchange/tree_exchange.hpp"
#include "runtime/loop/drift_watch.hpp"
#include "runtime/loop/fit_watch.hpp"
#include "runtime/loop/loop_watch.hpp"
#include "runtime/reason.hpp"
#include "runtime/record/stage.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hypermile::runtime {

/// The online controller of one rank: watches its loop, and when that has been measured tells
/// rank 0, which chooses for all. No message is ever waited for while the program runs, so the
/// program's own order of communication is never constrained.
///
/// Nothing that fails in here reaches the program: the rank's report says what did, and the rank
/// takes a smaller part from then on, see Role. A rank that cannot choose or measure any more tells
/// rank 0, and all nodes go back to gear 0.
class RankController {
public:
  struct Ports {
    const control::Clock& clock;
    control::Actuator& actuator;
    const control::Meter& meter;
    TreeExchange& exchange;
    /// The rank's events from a moment of its clock on, the last ones if there are more than so
    /// many; empty: they are not recorded.
    std::function<model::RankTimeline(Seconds from, std::size_t most_events)> timeline_since = {};
    /// Whether all events so far are there; empty where timeline_since is.
    std::function<bool()> records = {};
    /// Whether the program has taken a message from whoever came first: what ranks have to do may
    /// then depend on the gears. Empty where timeline_since is.
    std::function<bool()> took_from_any = {};
    /// Where rank 0 chooses gears; null: at the end of an iteration, which waits for it.
    control::Background* background = nullptr;
    /// Whether the rank may go without being watched for a while where that costs too much.
    bool may_rest = false;
    /// Lets so much time pass at most, in which messages may arrive. Empty: the program goes on at
    /// once after it has told what it measured.
    std::function<void(Seconds)> idle = {};
    /// Whether the rank waits for the first choice for its loop until that is there, or for many
    /// iterations: all ranks are in the gears then before the next iteration begins. Needs `idle`.
    bool waits_for_first = false;
    /// Whether what is recorded between two orders is reported.
    bool reports_stage = false;
    /// For so long the node's ranks have been held up by what hypermile does besides; empty: they
    /// have not.
    std::function<Seconds()> held_up = {};
    /// How often at most the meter is read besides, to know the power over time; 0: never.
    Seconds energy_interval{};
    /// Whether rank 0 is to learn what the node draws: some rank of the node has its meter. Needs
    /// `energy_interval`.
    bool learns_power = false;
    /// Iterations may be shorter than what it takes to look whether there is something to do: that
    /// is done no more often than this.
    Seconds pause{};
  };

  /// `request`: what to optimise, none to measure only.
  RankController(int rank, int ranks, RankNode node, std::optional<select::Request> request,
                 Ports ports, const TimeModel& model = {});

  /// The rank's node is to be in this gear, which was chosen beforehand. Where it does not take it
  /// the report says so. Throws Error{config} for a gear that the node does not have.
  void begin_in(model::Gear gear);
  /// Every node begins in its gear of this decision, which was made before any loop was known and
  /// is the same on all ranks; choices go on from there. `sets_gear`: of its node, of which it is
  /// the first rank.
  void begin_with(const Decision& decision, bool sets_gear);
  /// The gear it began in was planned for a run with this outline: as long as every rank does that,
  /// no gears are chosen. Once a rank does something else, all nodes go back to gear 0, and gears
  /// are chosen as if there had been no plan. `largest_scale`: S of the slowest of the planned
  /// gears, which a bound on slowdown takes for what the plan has cost until then.
  void keep_plan(Outline expected, double largest_scale) {
    plan_.emplace(std::move(expected));
    largest_scale_ = largest_scale;
  }
  /// An MPI call of the program is over. Returns the time at which the program goes on: the end
  /// of the call, or later if there was something to do.
  Seconds add_call(const LoopWatch::Call& call, Span span);
  /// The program marks the begin of an iteration. `computed`: since its last MPI call. Returns
  /// as add_call().
  Seconds mark_iteration(Span computed);
  /// A call of the program has begun. True: what it costs to watch it is to be told, besides the
  /// time that add_call() returns.
  bool is_sampled() { return watching_.is_sampled(); }
  void add_sample(Seconds cost, Seconds now);
  /// Whether the rank's calls are not to be watched now. add_unwatched() says when they are again.
  [[nodiscard]] bool rests() const { return rests_until_.has_value(); }
  /// In place of add_call(): of calls that were not watched, about.
  Seconds add_unwatched(Span calls);
  /// The calls are to be watched again, if the rest is not for good: a program that marks its
  /// iterations is worth it.
  void end_rest();
  /// The program computes no longer. `computed`: since its last MPI call.
  void end(const Span& computed) {
    total_ += computed;
    outline_.total = total_.computation_in_gear0;
  }

  /// Hypermile has failed on this rank: it measures nothing any more.
  void give_up(const char* why) { fall_back(Role::passive, why); }

  /// The program has reached MPI_Finalize. Returns when every rank has.
  void arrive();
  /// As arrive(), where that has not been called. Then the ranks report to rank 0: returns there
  /// when every rank has, with the report, in which those whose own could not be had are told.
  /// `closing` may amend the rank's own before it goes to rank 0. Throws where rank 0 has no memory
  /// for the report; the other ranks do not wait for that.
  std::optional<RunReport> finish(const std::function<void(RankReport&)>& closing);

  /// The rank's report as of now.
  [[nodiscard]] RankReport report() const;
  [[nodiscard]] std::size_t iterations() const { return watch_.iterations(); }
  /// S of the gear that the node is in.
  [[nodiscard]] double scale() const { return node_.type.gears.scale(ports_.actuator.gear()); }

  /// What the rank has computed, and by which calls.
  [[nodiscard]] const Outline& outline() const { return outline_; }
  /// The gears that its node has had, on the rank's clock.
  [[nodiscard]] const std::vector<GearStage>& stages() const { return stages_; }
  /// After arrive(): which of them all ranks are to report, by `GearStage::orders`, if rank 0 has
  /// said so.
  [[nodiscard]] std::optional<std::size_t> common_stage() const { return common_stage_; }

private:
  /// What the rank still does; each includes the following.
  enum class Role {
    chooses,  ///< takes part in choices of gears
    measures, ///< watches its loop
    passive   ///< passes on what others send, and reports
  };
  /// What fails is told in the report, and the rank falls back to the role `otherwise`.
  template <class Doing> void attempt(Role otherwise, const Doing& doing) {
    try {
      doing();
    } catch (const std::exception& error) {
      fall_back(otherwise, reason_of(error));
    }
  }
  void fall_back(Role role, const char* why);
  void stop_choosing();
  void tell_withdrawal();
  void count(Span& span);
  Seconds act(Seconds now);
  [[nodiscard]] bool may_go_on(Seconds looks, Seconds now) const;
  [[nodiscard]] bool may_listen(Seconds now) const;
  void look(Seconds now);
  void take_messages();
  void linger();
  void linger(Seconds most, Seconds nap);
  void pass_on(Seconds now);
  [[nodiscard]] bool may_tell(Seconds now) const;
  void tell();
  void answer();
  [[nodiscard]] bool expects_orders() const;
  [[nodiscard]] bool looks_under_bound(Seconds now) const;
  [[nodiscard]] bool looks_early(Seconds now) const;
  void tell_early(Seconds now);
  [[nodiscard]] bool has_drifted();
  void watch_fit();
  [[nodiscard]] bool still_fits(Seconds now);
  void suspend();
  void resume();
  void put_in(std::size_t gear);
  void count_away();
  void watch_drift_afresh();
  void tell_drift();
  void leave_plan();
  void note_stage();
  [[nodiscard]] Measurement measurement() const;
  [[nodiscard]] Measurement measurement_without_loop() const;
  void add_computations(Measurement& m) const;
  [[nodiscard]] Seconds computed() const;
  [[nodiscard]] double share_stolen(Seconds from) const;
  [[nodiscard]] Seconds stretched(Seconds computation_in_gear0) const;
  std::uint64_t add_events(Measurement& m, Seconds from) const;
  void add_events(Measurement& m) const;
  [[nodiscard]] std::span<const Iteration> told_iterations() const;
  [[nodiscard]] Seconds events_from() const;
  [[nodiscard]] double events_of_iteration() const;
  [[nodiscard]] bool tell_too_little(const Measurement& m) const;
  [[nodiscard]] std::optional<LastIterations> last_iterations() const;
  template <class OfRank> void send(OfRank measurement);
  void handle(int from, const Message& message);
  void check_sender(int from, int named) const;
  void follow(const GearOrder& order);
  void set_gear(std::size_t gear);
  void distribute(const std::vector<Message>& messages);
  [[nodiscard]] std::optional<Joules> energy() const;
  [[nodiscard]] PowerPoint power_point(Seconds now, std::optional<Joules> drawn) const;
  bool read_energy(Seconds now);
  [[nodiscard]] Spent spent() const;
  void withdraw(int from);
  [[nodiscard]] std::string failure() const;
  [[nodiscard]] Seconds own_time() const {
    return overhead_ + watching_.total() + (ports_.held_up ? ports_.held_up() : Seconds{});
  }
  Seconds charge(Seconds from);
  [[nodiscard]] bool costs_too_much(Seconds now, double share) const;
  [[nodiscard]] Seconds spent_since_account() const;
  bool calls_are_few(const Span& calls);
  RunReport collect(std::optional<RankReport> own);
  void tell_common_stage();
  void take_common_stage();
  void keep(int from, Message message, std::vector<std::optional<RankReport>>& reports);

  int rank_;
  int ranks_;
  RankNode node_;
  bool measure_only_; ///< from the beginning
  Role role_;
  bool needs_events_; ///< and may have them
  bool uses_slack_;   ///< before its loop is known
  bool keeps_bound_;  ///< on slowdown
  bool watches_fit_;  ///< gear 0 keeps the bound, and breaks no cap on power
  bool caps_power_;   ///< on average
  // Shares of the time that hypermile itself may take: where gears are chosen, and until a loop is
  // known.
  double share_of_bound_;
  double share_for_watching_;
  Repetition repetition_;
  Ports ports_;
  Seconds start_;
  std::optional<Joules> energy_at_start_;
  std::optional<EnergyReadings> readings_; ///< none: the meter is not read besides
  std::optional<PowerHistory> power_;      ///< none: what the node draws is not to be learnt
  MeterWatch meter_watch_;
  LoopWatch watch_;
  std::unique_ptr<Coordinator> coordinator_; ///< rank 0 only
  bool waiting_ = false;                     ///< for an order
  bool waited_for_first_ = false;
  bool early_order_may_come_ = false;
  std::size_t early_looks_ = 0; ///< that were due
  std::size_t calls_waited_ = 0;
  Seconds in_vain_;                    ///< time of looks for an order that had not come
  Seconds listened_;                   ///< for messages that are not awaited
  Seconds listening_;                  ///< time of that
  DriftWatch drift_;                   ///< since the last order
  Span watched_;                       ///< what it has been told of
  std::size_t watched_iterations_ = 0; ///< so many of them
  std::size_t takeovers_ = 0;          ///< of the main loop, at the last order
  FitWatch fit_;                       ///< of the last order, where a bound is kept
  std::size_t fitting_iterations_ = 0; ///< of the loop, so many have been looked at
  std::size_t fitting_phase_ = 0;      ///< that the last order was for
  std::optional<Seconds> order_due_;   ///< since another loop of that phase took over
  bool suspended_ = false;             ///< the node is in gear 0 in place of what was ordered
  Seconds suspended_at_;               ///< since MPI_Init
  Seconds suspended_computation_;      ///< of the rank until then
  bool told_node_ = false;             ///< to rank 0
  struct {
    std::size_t loop = 0; ///< LoopWatch::takeovers()
    std::size_t iterations = 0;
  } told_of_; ///< at the last measurement
  std::size_t measurements_sent_ = 0;
  Seconds last_sent_;
  Span total_;
  StolenHistory stolen_;
  Span at_order_;                                 ///< total_, at the last order for a loop
  std::optional<Seconds> computed_before_choice_; ///< the first one for a loop, in gear 0
  Outline outline_;
  std::optional<OutlineWatch> plan_; ///< as long as the run is the one that was planned
  double largest_scale_ = 1;         ///< of the plan
  bool told_departure_ = false;      ///< to rank 0
  std::string departed_;             ///< why this rank was the one to leave the plan
  std::vector<GearStage> stages_{{GearStage::beginning, 1}};
  std::optional<std::size_t> common_stage_; ///< CommonStage::orders
  Spent spent_by_stage_;                    ///< until the present gear was set
  model::Gear gear_of_stage_ = 0;           ///< the present one
  Seconds stage_;                           ///< when it was set
  Seconds computation_before_stage_;        ///< and what the rank had computed by then
  Seconds overhead_;                        ///< of choices, messages, and the search for the loop
  WatchingCost watching_;
  Seconds account_begin_;      ///< of what watching may cost
  Seconds spent_before_{0.05}; ///< or may be besides: a program may call MPI often as it begins
  std::optional<Seconds> rests_until_;
  Seconds few_since_; ///< of calls at rest, perhaps
  std::uint64_t calls_at_rest_ = 0;
  bool told_of_cost_ = false; ///< since the last order
  Seconds unwatched_;
  Seconds looked_; ///< whether there was something to do
  std::vector<GearChange> changes_;
  bool in_gears_ = false;      ///< some node is in another gear than 0, for a loop
  bool sets_gear_ = false;     ///< of the node, as the last order says
  bool must_withdraw_ = false; ///< other ranks have to be told that no gears can be chosen
  bool arrived_ = false;       ///< all ranks have
  Reason reason_;              ///< why the role is smaller than it was
  std::string failure_;        ///< to set a gear
  std::string overridden_;     ///< what else set the node's gear
};

} // namespace hypermile::runtime
