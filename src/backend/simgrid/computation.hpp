#pragma once

#include "control/ports.hpp"
#include "model/like_calls.hpp"
#include "model/recording.hpp"

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <span>

namespace hypermile::backend::simgrid {

/// The computation of one simulated rank. It is executed by the simulator as an amount of work:
/// what this thread's CPU clock saw since the last MPI call, or what a recording has at this place,
/// or what the program says. What was executed can be recorded, so that another run gets the very
/// same.
///
/// Where a host's gear makes computation S times as long, and the computation before a call reacts
/// less (Source::sensitivity), the host is given that much less work: the time it takes is
/// model::stretch() of S times that of gear 0. What is recorded and counted is the whole work. A
/// gear that another rank of the node changes meanwhile counts for what is left of the work.
///
/// Computation that is too short to be worth an event of the simulator is kept and executed
/// together with what follows, so that none is lost.
///
/// Polls (MPI_Test and the like) and waits for some of several requests are called more or less
/// often when the timing changes; their computation is taken from the recording as long as it has
/// any there, else it is none. What is left over of waits was done with what had come, and counts
/// as computed before the next call; what is left over of polls only passed time. Any other call
/// that the recording does not have next is a divergence: measured, and counted.
///
/// A rank that polls may do other things when the timing changes, and more or fewer iterations.
/// Where the recording of such a rank does not have a call next, the call gets what like calls
/// have: the next one behind the same previous call, if that is near, else a mean.
/// That is counted, too; it repeats to the last digit.
class RankComputation final : public control::Computation {
public:
  enum class From : std::uint8_t {
    clock,
    recording,
    program ///< as it said in Account::told
  };
  /// What a rank computes, in the platform's unit.
  struct Account {
    Work told;    ///< by the program, since the last call
    Work charged; ///< in all calls, since somebody took it
  };
  struct Source {
    From from = From::clock;
    Speed reference_speed; ///< of the machine at hand, in the platform's unit
    /// The rank's part of a recording; its operations are indices as charge() gets them.
    std::span<const model::RecordedCall> recorded;
    std::function<bool(std::uint16_t)> is_poll;
    std::function<bool(std::uint16_t)> repeats_by_time; ///< polls, and waits for some
    Work worth_an_event;                                ///< less than this waits for more
    /// How much the computation before such a call reacts to gears; empty: in full.
    std::function<double(std::uint16_t operation, std::uint32_t place)> sensitivity{};
    std::function<double()> scale{}; ///< S of the host's present gear; with `sensitivity`
  };

  /// Both outlive it; `record`: null, or where to record what is executed.
  RankComputation(Source source, Account& account, std::vector<model::RecordedCall>* record);

  void charge(std::uint16_t operation, std::uint32_t place) override;
  void resume() override;

  /// Calls that the recording did not have next.
  [[nodiscard]] Divergences divergences() const override { return divergences_; }

private:
  [[nodiscard]] Work computed(std::uint16_t operation);
  [[nodiscard]] double share_of_work(std::uint16_t operation, std::uint32_t place) const;
  [[nodiscard]] Work measured() const;
  [[nodiscard]] Work replayed(std::uint16_t operation);
  [[nodiscard]] Work replayed_by_time(std::uint16_t operation, std::uint16_t previous);
  [[nodiscard]] Work diverging(std::uint16_t operation, std::uint16_t previous);

  Source source_;
  Account& account_;
  std::vector<model::RecordedCall>* record_;
  /// CPU time, since other processes on the machine at hand are not the program's work. Where
  /// only the rare divergence is measured, the cheaper wall clock.
  clockid_t clock_;
  std::size_t next_ = 0;
  Work pending_;
  std::uint16_t previous_ = 0; ///< operation
  bool is_in_step_ = true;     ///< the last call that no timing repeats was next in the recording
  std::optional<model::LikeCalls> like_; ///< none: the rank's course does not depend on timing
  Divergences divergences_;
  Seconds resumed_;
};

} // namespace hypermile::backend::simgrid
