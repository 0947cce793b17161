#include "backend/process/contention.hpp"

#include "backend/process/fake_proc.hpp"
#include "backend/process/supervisor_fixture.hpp"

namespace hypermile::backend::process {
namespace {

/// A machine of two CPUs whose clock ticks each 10 ms.
class FakeContention : public testing::Test {
protected:
  /// What has passed since the last call, in ms.
  struct Passed {
    int cpu_0 = 0;
    int cpu_1 = 0;
    int computed = 0;
    int waited = 0;
  };
  Seconds after(const Passed& passed, const std::optional<CpuSet>& cpus = CpuSet{0}) {
    sum_ = {sum_.cpu_0 + passed.cpu_0, sum_.cpu_1 + passed.cpu_1, sum_.computed + passed.computed,
            sum_.waited + passed.waited};
    proc_.cpus({sum_.cpu_0 / 10, sum_.cpu_1 / 10});
    contention_.update(cpus, Seconds{1e-3 * sum_.computed}, Seconds{1e-3 * sum_.waited});
    return contention_.total();
  }

private:
  test::FakeProc proc_;
  Contention contention_{proc_.root()};
  Passed sum_{500, 500, 700, 300};
};

TEST_F(FakeContention, is_waiting_for_cpus_that_others_use) {
  EXPECT_EQ(after({}), Seconds{0});
  EXPECT_NEAR(after({.cpu_0 = 100, .computed = 40, .waited = 60}).value(), 0.06, 1e-9);
  EXPECT_NEAR(after({.cpu_0 = 100, .computed = 50, .waited = 10}).value(), 0.07, 1e-9);
}

TEST_F(FakeContention, is_not_waiting_for_each_other) {
  EXPECT_EQ(after({}), Seconds{0});
  EXPECT_NEAR(after({.cpu_0 = 1000, .computed = 1000, .waited = 3000}).value(), 0, 1e-9);
  EXPECT_NEAR(after({.cpu_0 = 1000, .computed = 900, .waited = 3000}).value(), 0.1, 1e-9);
}

TEST_F(FakeContention, is_not_what_others_do_while_nobody_waits) {
  EXPECT_EQ(after({}), Seconds{0});
  EXPECT_NEAR(after({.cpu_0 = 1000, .computed = 200, .waited = 0}).value(), 0, 1e-9);
  EXPECT_LE(after({.cpu_0 = 200, .computed = 200, .waited = 1000}), Seconds{0.05}); // a late clock
}

TEST_F(FakeContention, is_of_the_cpus_that_the_program_is_confined_to) {
  EXPECT_EQ(after({}), Seconds{0});
  EXPECT_NEAR(after({.cpu_0 = 100, .cpu_1 = 500, .computed = 100, .waited = 500}).value(), 0, 1e-9);
  EXPECT_NEAR(
      after({.cpu_0 = 100, .cpu_1 = 500, .computed = 200, .waited = 500}, std::nullopt).value(),
      0.4, 1e-9);
}

TEST_F(FakeContention, does_not_grow_because_clocks_are_coarse) {
  EXPECT_EQ(after({}), Seconds{0});
  for (int i = 0; i < 1000; ++i)
    (void)after({.cpu_0 = 7, .computed = 7, .waited = 20});
  EXPECT_LE(after({}), Seconds{0.02});
}

/// Two programs that compute all the time share one CPU.
TEST_F(SupervisorTest, tells_how_long_a_program_waits_for_cpus_that_others_use) {
  const Child other([&] {
    control::set_affinity(0, first());
    start_thread(test::compute);
  });
  const Child program([] { start_thread(test::compute); });
  Supervisor supervisor(of(program));
  supervisor.confine(first());
  const Seconds before = supervisor.cpu_use().contended;
  EXPECT_TRUE(comes_true([&] { return supervisor.cpu_use().contended - before > Seconds{0.2}; }));
}

} // namespace
} // namespace hypermile::backend::process
