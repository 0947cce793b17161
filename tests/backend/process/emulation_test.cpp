// Gears by a duty cycle, and what a node would draw in them.

#include "backend/process/confiner.hpp"
#include "backend/process/emulated_meter.hpp"
#include "backend/process/programs.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::backend::process {
namespace {

using test::Child;
using test::comes_true;

/// Two cores; gears with S = 1 and 2; 20 W static, 80 W dynamic.
model::NodeType node() {
  const model::GearTable gears({Hertz{2e9}, Hertz{1e9}});
  return {.name = "small",
          .cores = 2,
          .speed = Speed{1},
          .gears = gears,
          .power = model::cubic_power(gears, Watts{80}, Watts{20})};
}

TEST(EmulatedEnergy, is_static_power_where_nothing_computes) {
  EXPECT_EQ(emulated_energy(node(), {{Seconds{10}, {}}, {Seconds{5}, {}}}), Joules{15 * 20});
}

TEST(EmulatedEnergy, adds_dynamic_power_for_the_share_of_cores_that_compute) {
  // Gear 0: both cores for 10 s. Gear 1: one core for 10 s, of which it ran 5 s; 80 / 2^3 W.
  EXPECT_EQ(emulated_energy(node(), {{Seconds{10}, Seconds{20}}, {}}), Joules{10 * (20 + 80)});
  EXPECT_EQ(emulated_energy(node(), {{}, {Seconds{10}, Seconds{5}}}), Joules{10 * (20 + 10 / 2)});
}

TEST(EmulatedEnergy, is_never_more_than_that_of_all_cores) {
  EXPECT_EQ(emulated_energy(node(), {{Seconds{10}, Seconds{99}}, {}}), Joules{10 * (20 + 80)});
}

class ManualClock final : public control::Clock {
public:
  [[nodiscard]] Seconds now() const override { return now_; }
  void pass(Seconds time) { now_ += time; }

private:
  Seconds now_{500};
};

TEST(DutyCycleActuator, changes_the_gear_and_remembers_what_each_was_used_for) {
  const Child program([] { std::thread(test::compute).detach(); });
  Supervisor supervisor({.root = program.pid()});
  ManualClock clock;
  DutyCycleActuator actuator(node().gears, supervisor, clock);
  EXPECT_EQ(actuator.gear(), 0U);
  clock.pass(Seconds{3});
  EXPECT_TRUE(comes_true([&] { return actuator.use()[0].cpu_time > Seconds{0.03}; }));
  actuator.set_gear(1);
  EXPECT_EQ(actuator.gear(), 1U);
  EXPECT_TRUE(comes_true([&] { return test::is_stopped(program.pid()); }));
  clock.pass(Seconds{4});
  EXPECT_TRUE(comes_true([&] { return actuator.use()[1].cpu_time > Seconds{0.03}; }));
  actuator.set_gear(0);
  clock.pass(Seconds{5});
  EXPECT_EQ(actuator.use()[0].time, Seconds{8});
  EXPECT_EQ(actuator.use()[1].time, Seconds{4});
  const auto all = actuator.use()[0].cpu_time + actuator.use()[1].cpu_time;
  EXPECT_LE(all, supervisor.cpu_time());
}

TEST(DutyCycleActuator, refuses_a_gear_that_there_is_not) {
  const Child program([] {});
  Supervisor supervisor({.root = program.pid()});
  const ManualClock clock;
  DutyCycleActuator actuator(node().gears, supervisor, clock);
  EXPECT_THROW(actuator.set_gear(2), Error);
  EXPECT_EQ(actuator.gear(), 0U);
}

TEST(DutyCycleActuator, keeps_its_gear_where_the_program_cannot_be_slowed_down) {
  const Child program([] {});
  Supervisor supervisor({.root = program.pid()});
  const ManualClock clock;
  DutyCycleActuator actuator(node().gears, supervisor, clock);
  ::kill(supervisor.pid(), SIGKILL);
  EXPECT_THROW(actuator.set_gear(1), Error);
  EXPECT_EQ(actuator.gear(), 0U);
}

TEST(EmulatedMeter, estimates_and_says_so) {
  const Child program([] {});
  Supervisor supervisor({.root = program.pid()});
  ManualClock clock;
  const DutyCycleActuator actuator(node().gears, supervisor, clock);
  const EmulatedMeter meter(node(), actuator);
  const Joules before = meter.consumed().value();
  clock.pass(Seconds{100});
  EXPECT_NEAR((meter.consumed().value() - before).value(), 100 * 20, 50);
  EXPECT_EQ(meter.why_not(), "nothing is measured: the energy is estimated from the program's CPU "
                             "time and the power of a node of type small");
}

TEST(EmulatedMeter, is_not_made_for_other_gears_than_the_nodes) {
  const Child program([] {});
  Supervisor supervisor({.root = program.pid()});
  const ManualClock clock;
  const DutyCycleActuator actuator(model::GearTable({Hertz{1}}), supervisor, clock);
  EXPECT_THROW(EmulatedMeter(node(), actuator), Error);
}

TEST(ProcessConfiner, confines_through_the_supervisor_and_tells_of_the_program) {
  Child program([] { std::thread(test::compute).detach(); });
  Supervisor supervisor({.root = program.pid()});
  ProcessConfiner process(supervisor);
  control::Confiner& confiner = process;
  const control::CpuSet first{control::affinity(0).value().front()};
  confiner.confine(first);
  EXPECT_EQ(test::masks_of(program.pid()), std::set{first});
  EXPECT_TRUE(comes_true([&] { return confiner.cpu_time() > Seconds{0.02}; }));
  EXPECT_TRUE(confiner.alive());
  program.end_by(SIGKILL);
  EXPECT_TRUE(comes_true([&] { return !confiner.alive(); }));
}

} // namespace
} // namespace hypermile::backend::process
