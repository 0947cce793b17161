// Jobs whose cores other programs take.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <sched.h>

namespace hypermile::test {
namespace {

using nlohmann::json;

/// This thread, and what it starts, may use one CPU only, which a busy loop uses, too.
class OneBusyCpu {
public:
  OneBusyCpu() {
    sched_getaffinity(0, sizeof before_, &before_);
    int cpu = CPU_SETSIZE - 1;
    while (cpu > 0 && !CPU_ISSET(static_cast<std::size_t>(cpu), &before_))
      --cpu;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpu), &one);
    sched_setaffinity(0, sizeof one, &one);
    loop_ = std::thread([this] {
      while (!ended_.load(std::memory_order_relaxed)) {
      }
    });
  }
  ~OneBusyCpu() {
    ended_ = true;
    loop_.join();
    sched_setaffinity(0, sizeof before_, &before_);
  }
  OneBusyCpu(const OneBusyCpu&) = delete;
  OneBusyCpu& operator=(const OneBusyCpu&) = delete;

private:
  cpu_set_t before_{};
  std::atomic<bool> ended_ = false;
  std::thread loop_;
};

class Contention : public testing::TestWithParam<std::string> {
protected:
  [[nodiscard]] json report_of(int ranks) const {
    return run_successfully({.flavour = GetParam(),
                             .ranks = ranks,
                             .program = {"c_loop", "200", "2000"},
                             .environment = {{"OMPI_MCA_hwloc_base_binding_policy", "none"}}});
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, Contention, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& test) { return test.param; });

TEST_P(Contention, of_other_programs_is_told) {
  const OneBusyCpu busy;
  const json report = report_of(1);
  ASSERT_TRUE(report.is_object());
  if (report.at("taken_by_others").is_null())
    GTEST_SKIP() << "the kernel does not tell how long threads wait for their core";
  EXPECT_GT(report.at("taken_by_others"), 0.05);
  EXPECT_LT(report.at("taken_by_others"), 1);
}

TEST_P(Contention, of_ranks_with_each_other_is_no_other_programs) {
  const OneBusyCpu busy;
  const json report = report_of(2);
  ASSERT_TRUE(report.is_object());
  EXPECT_TRUE(report.at("taken_by_others").is_null());
}

} // namespace
} // namespace hypermile::test
