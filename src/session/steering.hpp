#pragma once

#include "session/timeline.hpp"

#include "control/ports.hpp"
#include "steer/controller.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// A program at work that is steered.
namespace hypermile::session {

/// The ports to a program and its node. All must outlive what uses them.
struct Ports {
  const control::Clock& clock;
  control::Confiner& confiner;
  control::Actuator* gears; ///< null: none are set
  control::Meter& meter;    ///< where it measures nothing, power is assumed
  control::Progress& progress;
  /// How long the program has waited for CPUs that other programs used; empty: nobody knows.
  std::function<Seconds()> contended{};
};

/// What a configuration is made of on this machine.
struct NodeLayout {
  steer::Space space;
  /// The CPUs of each core, in the order in which they are used: linear, interleaved.
  std::vector<std::vector<std::size_t>> linear;
  std::vector<std::vector<std::size_t>> interleaved;
  /// Gears that the program cannot see: it gets 1/S of the time of its cores.
  bool gears_take_time = false;
};

/// What came of steering, up to now.
struct Result {
  Seconds time{};        ///< from the program's first report of progress to the last sample
  Seconds steady{};      ///< of it, in the steady state
  Seconds kept{};        ///< of that, with the bounds kept
  Seconds calibrating{}; ///< of `time`
  double items = 0;
  Joules energy{};
  bool reported = false; ///< the program has reported progress
  std::size_t configuration = 0;
};

/// Measures, asks the controller, and does what it says. Never waits: step() does what is due.
class Steering {
public:
  using Tell = std::function<void(const Row&)>;
  /// `node` must outlive it. `tell` hears of each sample; it may be empty.
  Steering(const NodeLayout& node, const Ports& ports, steer::Controller controller, Tell tell);

  /// Returns when it wants to be called again, by the clock. Before the program has reported
  /// progress nothing is set. Throws what the ports throw.
  Seconds step();

  void set_bounds(const steer::Bounds& bounds) { controller_.set_bounds(bounds); }
  [[nodiscard]] const steer::Controller& controller() const { return controller_; }
  [[nodiscard]] Result result() const;
  /// Whether the watts are those of a meter, and not computed from assumptions.
  [[nodiscard]] bool measures_power() const { return power_measured_; }

private:
  /// Counters at one moment.
  struct Reading {
    Seconds time;
    control::Done done;
    Seconds cpu_time;
    Seconds contended;
    std::optional<Joules> energy;
  };
  [[nodiscard]] Reading read() const;
  void begin(const Reading& first);
  /// Returns how long it takes until the change has its effect.
  Seconds apply(const steer::Action& order);
  [[nodiscard]] steer::Sample sample_since(const Reading& before, const Reading& now);
  [[nodiscard]] double share_of_cores(Seconds cpu_time, Seconds length) const;
  [[nodiscard]] Watts assumed_power(double load) const;
  [[nodiscard]] bool keeps_bounds(const steer::Sample& sample) const;
  [[nodiscard]] Row row_of(const steer::Sample& sample) const;
  Seconds finish_sample(const Reading& reading);
  void account(const Row& row);

  enum class State { waiting, settling, sampling };

  const NodeLayout& node_;
  Ports ports_;
  steer::Controller controller_;
  Tell tell_;
  State state_ = State::waiting;
  Seconds due_{};
  Seconds begin_{};                    ///< of steering
  std::optional<std::size_t> applied_; ///< configuration
  std::optional<Reading> before_;      ///< at the begin of the sample
  std::optional<Reading> first_;
  Joules energy_{};
  bool power_measured_ = true;
  Result result_;
};

} // namespace hypermile::session
