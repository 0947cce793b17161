#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <functional>
#include <utility>

namespace hypermile::runtime {

/// How long one choice of gears may take where the program has to wait for it. All choices together
/// may take a hundredth of the time so far, and 10 ms besides, for the first ones of a loop that is
/// found early decide about most of the run; one choice takes half of what is left of that, or 1
/// ms. What it takes to build the model is learnt from choice to choice. As many events are used as
/// leave three fifths of the time for the search; where these are too few, three tenths have to do.
class DecisionBudget {
public:
  /// `stopwatch`: tells the time; empty: nobody waits. `most`: for one choice.
  DecisionBudget(std::function<Seconds()> stopwatch, Seconds most)
      : stopwatch_(std::move(stopwatch)), most_(most) {}

  /// For one choice that is under way already, all of this time, whenever it is.
  [[nodiscard]] static DecisionBudget all_of(std::function<Seconds()> stopwatch, Seconds time);

  [[nodiscard]] bool limited() const { return static_cast<bool>(stopwatch_); }
  /// A choice begins. `elapsed`: since the begin of the run.
  void begin(Seconds elapsed);
  /// Its model is built from now on.
  void build();
  /// Events of all ranks that it can rest on, where there is a limit: with a search that is cut
  /// off, and with one that gets to its end.
  [[nodiscard]] std::size_t most_events() const;
  [[nodiscard]] std::size_t good_events() const;
  /// The model has been built from so many events.
  void built(std::size_t events);
  /// Of the time for this choice; all of it where there is no limit.
  [[nodiscard]] Seconds left() const;
  /// The choice has been made, or given up.
  void end();

private:
  [[nodiscard]] std::size_t events_in(double part) const;

  std::function<Seconds()> stopwatch_;
  Seconds most_;
  Seconds spent_;             ///< on choices that have ended
  Seconds begin_;             ///< of the choice under way, by the stopwatch
  Seconds building_;          ///< since then
  Seconds end_;               ///< of the choice
  Seconds per_event_{1.5e-6}; ///< what a core needs at the most, until it is known better
};

} // namespace hypermile::runtime
