#pragma once

#include "control/ports.hpp"
#include "runtime/apply/rank_controller.hpp"
#include "runtime/pmpi/functions.hpp"
#include "runtime/pmpi/observe/observer.hpp"
#include "runtime/pmpi/places.hpp"
#include "runtime/status.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace hypermile::runtime::pmpi {

/// One rank between MPI_Init and MPI_Finalize: turns its MPI calls into spans of computation
/// and communication and hands them to the controller.
///
/// On a real MPI, nothing that fails in enter(), leave(), mark_iteration() or arrive() reaches the
/// program: the rank's report says what did. In a simulation, where the program is there to be
/// measured, an error ends it.
class Session {
public:
  struct Parts {
    std::unique_ptr<control::Clock> clock;
    std::unique_ptr<control::Actuator> actuator;
    std::unique_ptr<control::Meter> meter;
    std::unique_ptr<control::Computation> computation; ///< none on a real machine
    std::unique_ptr<TreeExchange> exchange;
    std::unique_ptr<control::CallListener> calls{};    ///< none: nobody wants to know
    std::unique_ptr<control::Background> background{}; ///< none: the program waits for choices
    /// What the rank has computed since it was asked last, which took so long in gear 0, as far as
    /// clocks can tell; empty: nobody knows, or wants to.
    std::function<Work(Seconds computed)> worked{};
    const StatusFile* status = nullptr;  ///< none: nobody watches
    Seconds pause{};                     ///< as RankController's
    Seconds energy_interval{};           ///< likewise
    bool learns_power = false;           ///< likewise
    bool may_rest = false;               ///< likewise
    bool reports_stage = false;          ///< likewise: take_lesson() will be called
    std::function<void(Seconds)> idle{}; ///< likewise
    bool waits_for_first = false;        ///< likewise
    bool record_timeline = false;
    Observer::Keep keep = Observer::Keep::dependencies; ///< in the timeline
    Recorder::Memory memory = Recorder::whole_run;      ///< of the timeline
    /// Turns true when threads communicate whose calls the session is not told; null: none can.
    const std::atomic<bool>* others_communicate = nullptr;
    TimeModel time_model = {};          ///< of the choices; all but `cluster` need the timeline
    std::optional<model::Gear> gear{};  ///< of the node from the beginning; none: as it is
    std::optional<Decision> first{};    ///< as RankController::begin_with()
    bool sets_first_gear = false;       ///< likewise
    std::optional<Outline> expected{};  ///< of the run that this gear is planned for
    double largest_scale = 1;           ///< of all nodes' gears in that plan
    std::function<Seconds()> stolen{};  ///< as StolenTime's
    std::function<Seconds()> held_up{}; ///< as RankController's
  };

  struct Caller {
    Function function;
    const void* site;     ///< where the program called from
    std::uint64_t detail; ///< hash of the arguments that are numbers
  };

  Session(int rank, int ranks, RankNode node, std::optional<select::Request> request, Parts parts);

  /// The program enters and leaves an MPI function. Calls that MPI makes of itself are part of
  /// the program's own.
  void enter(const Caller& caller);
  void leave(const Caller& caller);
  /// The calls that follow count as this one: for a program that repeats another's by calls that
  /// may be other ones.
  void call_as(const Caller& caller) { as_ = caller; }
  /// The program marks the begin of an iteration.
  void mark_iteration();
  /// The program has reached MPI_Finalize: nothing it does counts any more.
  void arrive();
  /// After arrive(), as RankController::arrive().
  void wait_for_all() { controller_.arrive(); }
  /// After arrive(), as RankController::finish().
  std::optional<RunReport> finish(const std::function<void(RankReport&)>& closing);
  [[nodiscard]] RankReport report() const;
  /// After arrive(), in place of take_timeline(): about so many events at most.
  [[nodiscard]] Lesson take_lesson(std::size_t most_events);
  /// What other programs took of the rank's time; none: nobody knows.
  [[nodiscard]] std::optional<Seconds> stolen() const {
    return stolen_.is_known() ? std::optional(stolen_.total()) : std::nullopt;
  }
  /// Why it is not known who waits for whom; empty: it is, or nobody asked.
  [[nodiscard]] std::string not_followed() const;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] const control::Actuator& actuator() const { return *parts_.actuator; }
  [[nodiscard]] const control::Meter& meter() const { return *parts_.meter; }
  /// Whether it matters that the program reads the clock: computation is stretched until then, or
  /// the reading is recorded.
  [[nodiscard]] bool follows_clock() const {
    return parts_.computation != nullptr || (observer_ && observer_->keeps_calls());
  }
  /// Who is to be told what the calls of the program mean; null: nobody.
  [[nodiscard]] Observer* observer() { return observer_ && !rested_ ? &*observer_ : nullptr; }
  /// After arrive(): what was recorded; empty if nothing was to be.
  [[nodiscard]] model::RankTimeline take_timeline();

private:
  template <class Doing> void attempt(const Doing& doing);
  [[nodiscard]] RankController::Ports ports();
  void follow_gear();
  [[nodiscard]] Span computed_until(Seconds now) const;
  void stretch_computation(Function function);
  void publish(Function function, bool in_mpi, Seconds now);
  void begin_call(Function function, const Caller& as);
  void end_call(Function function, const Caller& as);
  void begin_rest();
  void enter_at_rest(Function function);
  void leave_at_rest(Function function);
  void look_at_rest(Function function);
  void end_rest();
  void go_on(Function function, Seconds end);
  void record(Function function, const Span& span);
  void record_mark(Span& computed);
  void record_reading();
  [[nodiscard]] bool is_idle_poll(Function function) const;

  int rank_;
  Parts parts_;
  RankController controller_;
  std::optional<Observer> observer_;
  Places places_;
  std::uint32_t place_ = 0; ///< of the call under way
  StolenTime stolen_;
  std::optional<Caller> as_; ///< in place of a call's own; none: its own
  int depth_ = 0;
  Seconds entered_;
  Seconds left_;
  bool rested_ = false;           ///< some calls were not watched: what they did is not known
  bool resting_ = false;          ///< as the controller does
  bool looking_ = false;          ///< in the rest, at the call under way
  std::size_t unwatched_ = 0;     ///< calls, since the last that was looked at
  std::size_t between_looks_ = 1; ///< calls
  bool sampled_ = false;          ///< what the call under way costs
  Seconds watched_from_;
  Seconds cost_of_entry_;
  Seconds computed_;     ///< before the last call
  Seconds next_reading_; ///< of the meter
};

} // namespace hypermile::runtime::pmpi
