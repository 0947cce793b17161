#pragma once

#include "steer/controller.hpp"

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace hypermile::test {

/// What a program does in one of its phases.
struct Behaviour {
  double unit = 100;        ///< items per second of one core in gear 0; 0: it does nothing
  double contention = 0.02; ///< of the Universal Scalability Law
  double memory = 0.2;      ///< share of the time of an item that no gear changes
  double core_watts = 4;    ///< of a core in gear 0 that is busy all the time
};

/// A program that is not there: on a node of one socket it finishes items, and draws power, by
/// formulas of the configuration and the time.
class Simulated {
public:
  /// 8 cores with 5 gears from 2.4 to 1.2 GHz.
  Simulated();
  Simulated(std::size_t cores, std::size_t gears);

  std::vector<Behaviour> phases{Behaviour{}};
  /// Index into `phases` at this time.
  std::function<std::size_t(double seconds)> phase = [](double) { return 0; };
  /// Items per second; none: it always has work to do, and reports no arrivals.
  std::function<double(double seconds)> arrivals{};
  bool by_chance = false;   ///< arrivals follow Poisson
  double burst = 1;         ///< items that arrive at once
  bool whole_items = false; ///< none is reported before it is finished
  double noise = 0;         ///< relative deviation of what 0.1 s show
  double idle_watts = 20;
  /// The share of its cores' time that other programs leave to it.
  std::function<double(double seconds)> left = [](double) { return 1; };
  bool tells_contention = true; ///< else nobody knows of these programs

  [[nodiscard]] const steer::Space& space() const { return space_; }
  /// What is true of a configuration in a phase, with the load it has under this goal.
  [[nodiscard]] steer::Performance truth(std::size_t configuration, const steer::Goal& goal,
                                         std::size_t phase = 0) const;
  /// Of the best configuration that keeps the bounds; none: there is no such.
  [[nodiscard]] std::optional<std::size_t> best(const steer::Goal& goal,
                                                std::size_t phase = 0) const;

  /// It runs on for `length`.
  steer::Sample run(std::size_t configuration, Seconds length);

  [[nodiscard]] Seconds time() const { return Seconds{time_}; }
  [[nodiscard]] double items() const { return items_; }
  [[nodiscard]] Joules energy() const { return Joules{energy_}; }
  [[nodiscard]] double waiting() const { return waiting_; }

private:
  /// Items per second.
  [[nodiscard]] double capacity(const steer::Configuration& one, const Behaviour& now) const;
  [[nodiscard]] double watts(const steer::Configuration& one, const Behaviour& now,
                             double load) const;
  [[nodiscard]] double reported(double items) const;
  double deviates(double length);

  steer::Space space_;
  std::mt19937 engine_{1};
  double time_ = 0;
  double items_ = 0;
  double energy_ = 0;
  double waiting_ = 0; ///< items that have arrived
};

/// A simulated program and the controller that steers it.
struct Steered {
  Steered(Simulated simulated, const steer::Bounds& bounds, const std::string& method = "adaptive",
          const steer::Sampling& sampling = {});
  Steered(const Steered&) = delete;
  Steered& operator=(const Steered&) = delete;

  struct Moment {
    double time; ///< of the end of a sample
    steer::Mode mode;
    std::size_t configuration;
    std::size_t next;
    std::string reason; ///< for the next
  };

  /// One sample.
  void step();
  void run_until(double seconds);
  /// Until it is steady, which must be before `seconds`.
  void settle(double seconds = 60);

  [[nodiscard]] const steer::Account& account() const { return controller.account(); }
  [[nodiscard]] std::size_t configuration() const { return controller.action().configuration; }
  [[nodiscard]] bool steady() const { return controller.action().mode == steer::Mode::steady; }
  /// By how much what it is in is worse than the best; infinite where it misses the bounds by more
  /// than 1 %.
  [[nodiscard]] double loss(std::size_t phase = 0) const;
  /// Times that the configuration has changed since.
  [[nodiscard]] std::size_t moves_since(double seconds) const;
  /// What it decided, for messages of tests.
  [[nodiscard]] std::string story() const;

  Simulated program;
  steer::Controller controller;
  std::vector<Moment> moments;
};

} // namespace hypermile::test
