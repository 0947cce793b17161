#pragma once

#include "session/steering.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace hypermile::test {

/// A node of two sockets with two cores of two CPUs each, at 2 and 1 GHz.
inline session::NodeLayout small_node() {
  const steer::NodeShape shape{
      .sockets = 2, .cores_per_socket = 2, .gears = model::GearTable({Hertz{2e9}, Hertz{1e9}})};
  return {.space = steer::all_configurations(shape),
          .linear = {{0, 4}, {1, 5}, {2, 6}, {3, 7}},
          .interleaved = {{0, 4}, {2, 6}, {1, 5}, {3, 7}}};
}

/// A program on that node, behind all ports: it does what it is told to, and time passes when a
/// test says so.
class FakeProgram : public control::Clock,
                    public control::Confiner,
                    public control::Actuator,
                    public control::Meter,
                    public control::Progress {
public:
  // What it does in a second.
  double items_per_core = 100; ///< in gear 0
  double busy = 1;             ///< share of its cores' time
  double contended = 0;        ///< likewise: that others have, and it wants
  std::optional<double> arrivals;
  std::optional<double> watts = 50; ///< none: there is no meter
  bool gears_take_time = false;     ///< it sees less of its cores' time in lower gears

  Seconds settles{}; ///< what its gears take to have their effect
  bool reports = true;
  std::vector<std::string> calls; ///< of what sets something, in their order
  std::size_t readings = 0;
  std::string fails; ///< the name of a call that throws

  void pass(double seconds) {
    time += seconds;
    const double scale = gear_ == 0 ? 1 : 2;
    const auto cores = static_cast<double>(cpus) / 2;
    if (reports)
      has_done.items += items_per_core * cores / scale * busy * seconds;
    cpu_seconds += cores * busy * seconds / (gears_take_time ? scale : 1);
    contended_seconds += cores * contended * seconds / (gears_take_time ? scale : 1);
    if (arrivals)
      has_done.arrivals = has_done.arrivals.value_or(0) + *arrivals * seconds;
    joules += watts.value_or(0) * seconds;
  }

  [[nodiscard]] Seconds now() const override { return Seconds{time}; }
  void confine(const std::vector<std::size_t>& where) override {
    call("confine", fmt::format("{}", fmt::join(where, ",")));
    cpus = where.size();
  }
  [[nodiscard]] Seconds cpu_time() override { return Seconds{cpu_seconds}; }
  [[nodiscard]] bool alive() override { return true; }
  [[nodiscard]] std::size_t gear() const override { return gear_; }
  [[nodiscard]] Seconds settling() const override { return settles; }
  void set_gear(std::size_t gear) override {
    call("gear", fmt::format("{}", gear));
    gear_ = gear;
  }
  [[nodiscard]] std::optional<Joules> consumed() const override {
    return watts ? std::optional(Joules{joules}) : std::nullopt;
  }
  [[nodiscard]] std::string why_not() const override { return ""; }
  std::optional<control::Done> done() override {
    ++readings;
    return reports ? std::optional(has_done) : std::nullopt;
  }
  bool want_threads(std::size_t threads) override {
    call("threads", fmt::format("{}", threads));
    return true;
  }

  double time = 1000; ///< its origin is anything
  control::Done has_done{};
  double cpu_seconds = 77;
  double contended_seconds = 11;
  double joules = 5000;

private:
  void call(const std::string& name, const std::string& what) {
    if (fails == name)
      throw Error(ErrorKind::hardware, name + " failed");
    calls.push_back(name + " " + what);
  }

  std::size_t cpus = 8;
  std::size_t gear_ = 0;
};

/// That program, steered.
struct FakeSession {
  explicit FakeSession(const steer::Bounds& bounds, const std::string& method = "adaptive",
                       bool has_gears = true)
      : steering(node,
                 {program, program, has_gears ? &program : nullptr, program, program,
                  [this] { return Seconds{program.contended_seconds}; }},
                 steer::Controller(node.space, method, bounds, {}),
                 [this](const session::Row& row) { rows.push_back(row); }) {}
  FakeSession(const FakeSession&) = delete;
  FakeSession& operator=(const FakeSession&) = delete;

  /// Until as many samples have been taken.
  void run(std::size_t samples) {
    while (rows.size() < samples) {
      const Seconds due = steering.step();
      if (rows.size() < samples)
        program.pass((due - program.now()).value());
    }
  }

  session::NodeLayout node = small_node();
  FakeProgram program;
  std::vector<session::Row> rows;
  session::Steering steering;
};

} // namespace hypermile::test
