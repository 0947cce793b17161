#include "backend/progress/instruction_progress.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <map>

#include <sys/mman.h>
#include <unistd.h>

namespace hypermile::backend::progress {
namespace {

/// A kernel whose counters are files: value, time enabled, time running.
class FakeEvents final : public PerfEvents {
public:
  using Values = std::array<std::uint64_t, 3>;

  int count_instructions(pid_t thread) override {
    if (const auto error = errors.find(thread); error != errors.end())
      return -error->second;
    const int counter = ::memfd_create("counter", MFD_CLOEXEC);
    if (const auto known = values.find(thread); known != values.end()) {
      const Values& value = known->second;
      EXPECT_EQ(::write(counter, value.data(), sizeof value), sizeof value);
      ::lseek(counter, 0, SEEK_SET);
    }
    return counter;
  }

  std::map<pid_t, int> errors;
  std::map<pid_t, Values> values; ///< a thread without any has a counter that cannot be read
};

TEST(instructions, are_those_of_all_threads_made_up_for_lost_time) {
  FakeEvents events;
  events.values = {{1, {1000, 10, 10}}, {2, {300, 10, 5}}, {3, {0, 0, 0}}};
  InstructionProgress progress({1, 2, 3}, events);
  EXPECT_EQ(progress.why_not(), "");
  ASSERT_TRUE(progress.done());
}

TEST(instructions, add_up) {
  FakeEvents events;
  events.values = {{1, {1000, 10, 10}}, {2, {300, 10, 5}}, {3, {0, 0, 0}}};
  InstructionProgress progress({1, 2, 3}, events);
  const auto done = progress.done();
  ASSERT_TRUE(done);
  EXPECT_EQ(done->items, 1600);
  EXPECT_FALSE(done->arrivals);
}

TEST(instructions, do_without_threads_that_have_just_ended) {
  FakeEvents events;
  events.values = {{1, {1000, 10, 10}}};
  events.errors = {{2, ESRCH}};
  InstructionProgress progress({1, 2}, events);
  ASSERT_TRUE(progress.done());
}

TEST(instructions, that_cannot_be_counted_are_none_and_said_why) {
  for (const auto& [error, advice] : std::map<int, std::string>{
           {EACCES, "Permission denied (EACCES); try: as root: sysctl kernel.perf_event_paranoid"},
           {EPERM, "(EPERM); try: as root: sysctl kernel.perf_event_paranoid"},
           {ENOENT, "(ENOENT); try: this machine, often a virtual one, has no such counter"},
           {ENOSYS, "(ENOSYS); try: this machine"},
           {EMFILE, "(EMFILE); try: more open files"},
           {EINVAL, "(EINVAL); try: report progress by hm_progress()"}}) {
    FakeEvents events;
    events.values = {{1, {1000, 10, 10}}};
    events.errors = {{2, error}};
    InstructionProgress progress({1, 2}, events);
    EXPECT_FALSE(progress.done());
    EXPECT_NE(progress.why_not().find(advice), std::string::npos) << progress.why_not();
  }
}

TEST(instructions, of_a_program_that_has_ended_are_none) {
  FakeEvents events;
  events.errors = {{1, ESRCH}};
  InstructionProgress progress({1}, events);
  EXPECT_FALSE(progress.done());
  EXPECT_EQ(progress.why_not(), "cannot count the instructions of the program: it has ended");
}

TEST(instructions, that_cannot_be_read_any_more_are_none) {
  FakeEvents events;
  InstructionProgress progress({1}, events);
  EXPECT_EQ(progress.why_not(), "");
  EXPECT_FALSE(progress.done());
  EXPECT_NE(progress.why_not().find("cannot be counted any more"), std::string::npos);
}

/// Whatever this machine has: numbers that grow, or why there are none.
TEST(instructions, of_this_process_are_counted_or_it_is_said_why_not) {
  InstructionProgress progress({::gettid()});
  const auto before = progress.done();
  volatile double sum = 0;
  for (int i = 0; i < 1'000'000; ++i)
    sum = sum + i;
  const auto after = progress.done();
  if (before)
    EXPECT_GT(after->items, before->items + 1'000'000);
  else
    EXPECT_NE(progress.why_not().find("cannot count the instructions of the program"),
              std::string::npos);
}

} // namespace
} // namespace hypermile::backend::progress
