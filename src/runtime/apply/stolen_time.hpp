#pragma once

#include "runtime/loop/loop.hpp"
#include "units/quantity.hpp"

#include <functional>
#include <vector>

namespace hypermile::runtime {

/// Tells what a rank computed from what other programs took of its core meanwhile. A rank computes
/// no more where others have its core, only longer by the clock; gears have no part in that.
///
/// The system tells in a microsecond or two how long a thread has waited for its core. So it is
/// asked now and then only, at the begin or the end of an MPI call: others have a core for
/// milliseconds, so that what is longer than `between_readings` is asked for, and known to be
/// computation or not.
class StolenTime {
public:
  static constexpr Seconds between_readings{0.002};

  /// `stolen`: how long others have had the core while this thread wanted it; never falls. Empty:
  /// nobody knows.
  explicit StolenTime(std::function<Seconds()> stolen = {}) : stolen_(std::move(stolen)) {
    if (stolen_)
      last_ = stolen_();
  }

  [[nodiscard]] bool is_known() const { return static_cast<bool>(stolen_); }
  /// The rank has computed until now.
  void computed(Seconds now) {
    if (is_due(now))
      of_computation_ += more(now);
  }
  /// It has been in MPI until now.
  void communicated(Seconds now) {
    if (is_due(now))
      of_communication_ += more(now);
  }
  /// What was stolen until now made nobody later.
  void pass_over(Seconds now) {
    if (is_due(now))
      static_cast<void>(more(now));
  }
  /// What others took since the last call of this was no computation of the span's, which ran in a
  /// gear of this S.
  void take_from(Span& span, double scale);
  /// In all spans.
  [[nodiscard]] Seconds total() const { return total_; }

private:
  [[nodiscard]] bool is_due(Seconds now) const {
    return stolen_ && now - read_ >= between_readings;
  }
  Seconds more(Seconds now);

  std::function<Seconds()> stolen_;
  Seconds read_; ///< when it was
  Seconds last_; ///< what was read
  Seconds of_computation_;
  Seconds of_communication_;
  Seconds total_;
};

/// When time was stolen, to within 2 % of the time so far. Takes no memory but at the begin.
class StolenHistory {
public:
  StolenHistory() { moments_.reserve(most_moments); }
  /// So much more until then, which is later than before.
  void add(Seconds until, Seconds stolen) {
    if (stolen > Seconds{})
      note(until, stolen);
  }
  [[nodiscard]] Seconds since(Seconds from) const;

private:
  static constexpr std::size_t most_moments = 128;
  struct Moment {
    Seconds begin;
    Seconds until;
    Seconds stolen;
  };
  void note(Seconds until, Seconds stolen);

  std::vector<Moment> moments_;
  Seconds shortest_{}; ///< what is less apart is one moment
};

/// How many times what it takes without others a rank's computation is to be expected to take, by
/// what they have taken of the time so far: who takes a core for long goes on with that, and takes
/// more of what takes longer in another gear. What was over within a second was a burst, of which
/// gears know nothing.
[[nodiscard]] double expected_stretch(Seconds stolen, Seconds elapsed);

} // namespace hypermile::runtime
