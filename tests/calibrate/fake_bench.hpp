#pragma once

#include "calibrate/power_source.hpp"
#include "calibrate/workbench.hpp"
#include "control/ports.hpp"
#include "units/error.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::test {

using calibrate::Load;

/// A node whose time passes in wait() only, and which draws what it is told to draw.
struct FakeNode {
  model::Gear gear = 0;
  Load load = Load::idle;
  bool has_just_changed = false; ///< the load, before the last wait
  Seconds now{1000};
  Joules energy{5};
  double pairs = 0;
  /// What it draws, and how many pairs it draws in a second while it computes.
  std::function<Watts(model::Gear, Load)> power;
  std::function<double(model::Gear)> speed;
  /// Called after each wait.
  std::function<void()> waited = [] {};
};

class FakeBench final : public calibrate::Workbench {
public:
  explicit FakeBench(FakeNode& node) : node_(node) {}
  void put(Load load) override {
    node_.load = load;
    node_.has_just_changed = true;
  }
  [[nodiscard]] double pairs() const override { return node_.pairs; }
  [[nodiscard]] Seconds now() const override { return node_.now; }
  void wait(Seconds time) override {
    node_.now += time;
    node_.energy += node_.power(node_.gear, node_.load) * time;
    if (node_.load == Load::computing)
      node_.pairs += node_.speed(node_.gear) * time.value();
    node_.has_just_changed = false;
    node_.waited();
  }

private:
  FakeNode& node_;
};

class FakeMeter final : public control::Meter {
public:
  explicit FakeMeter(FakeNode& node) : node_(node) {}
  [[nodiscard]] std::optional<Joules> consumed() const override {
    ++reads;
    return fails ? std::nullopt : std::optional(node_.energy);
  }
  mutable int reads = 0;
  bool fails = false;

private:
  FakeNode& node_;
};

class FakeActuator final : public control::Actuator {
public:
  explicit FakeActuator(FakeNode& node) : node_(node) {}
  [[nodiscard]] std::size_t gear() const override { return node_.gear; }
  void set_gear(std::size_t gear) override {
    if (gear == refused)
      throw Error(ErrorKind::hardware, "no");
    node_.gear = gear;
  }
  [[nodiscard]] std::string verify() const override {
    return node_.load == Load::computing ? problem : "asked while nothing computed";
  }
  [[nodiscard]] Seconds settling() const override { return settles; }
  std::optional<std::size_t> refused;
  Seconds settles{};
  std::string problem;

private:
  FakeNode& node_;
};

} // namespace hypermile::test
