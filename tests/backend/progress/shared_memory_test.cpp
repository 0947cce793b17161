// A program is not trusted: its memory may have any bit pattern, and size.

#include "backend/progress/shared_memory.hpp"
#include "backend/progress/shared_progress.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hypermile::backend::progress {
namespace {

using hypermile::progress::Memory;

constexpr int usual_seals = F_SEAL_SHRINK | F_SEAL_GROW;

/// What a program might make. It is in this process, where it can be found as in another one.
class Planted {
public:
  explicit Planted(off_t size = sizeof(Memory), int seals = usual_seals)
      : descriptor_(
            ::memfd_create(hypermile::progress::memory_name, MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    EXPECT_EQ(::ftruncate(descriptor_.number(), size), 0);
    EXPECT_EQ(::fcntl(descriptor_.number(), F_ADD_SEALS, seals), 0);
  }
  void write(const Memory& memory) const {
    EXPECT_EQ(::pwrite(descriptor_.number(), &memory, sizeof memory, 0), sizeof memory);
  }
  [[nodiscard]] std::string link() const {
    return fmt::format("/proc/self/fd/{}", descriptor_.number());
  }

private:
  control::Descriptor descriptor_;
};

Memory good() {
  Memory memory{};
  memory.header = {hypermile::progress::magic, hypermile::progress::version, sizeof(Memory)};
  return memory;
}

std::string refusal_of(const Planted& planted) {
  try {
    SharedMemory::open(planted.link());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(a_memory, adds_up_what_its_slots_have) {
  Memory memory = good();
  memory.slot[0] = {.items = 5, .arrivals = 7, .openmp_items = 1};
  memory.slot[63] = {.items = 10, .arrivals = 20, .openmp_items = 3};
  const Planted planted;
  planted.write(memory);
  const Counts counts = SharedMemory::open(planted.link()).counts();
  EXPECT_EQ(counts.items, 15);
  EXPECT_EQ(counts.arrivals, 27);
  EXPECT_EQ(counts.openmp_items, 4);
}

TEST(a_memory, of_a_wrong_size_is_refused) {
  for (const off_t size : {off_t{0}, off_t{1}, off_t{sizeof(Memory) - 1}, off_t{1} << 40})
    EXPECT_NE(refusal_of(Planted(size)).find("is no memory as hypermile makes it"),
              std::string::npos)
        << size;
}

TEST(a_memory, that_could_be_made_smaller_is_refused) {
  const Planted planted(sizeof(Memory), 0);
  planted.write(good());
  EXPECT_NE(refusal_of(planted).find("is no memory as hypermile makes it"), std::string::npos);
}

TEST(a_memory, of_another_version_is_refused_and_which_it_is_said) {
  Memory memory = good();
  memory.header.version = 2;
  const Planted planted;
  planted.write(memory);
  EXPECT_NE(refusal_of(planted).find("is a memory of version 2, not 1; try: the same version"),
            std::string::npos);
}

TEST(a_memory, that_may_only_be_read_is_read) {
  const Planted planted;
  Memory memory = good();
  memory.slot[0].items = 5;
  planted.write(memory);
  const Planted sealed(sizeof(Memory), F_SEAL_SHRINK);
  sealed.write(memory);
  EXPECT_EQ(SharedMemory::open(planted.link()).counts().items, 5);
}

TEST(a_memory, of_ours_is_one_that_can_be_opened) {
  const SharedMemory made = SharedMemory::make();
  const SharedMemory opened =
      SharedMemory::open(fmt::format("/proc/self/fd/{}", made.descriptor()));
  EXPECT_EQ(made.id(), opened.id());
  EXPECT_FALSE(opened.resizable());
  EXPECT_FALSE(opened.has_openmp());
}

TEST(a_reader, takes_no_harm_from_any_bits) {
  Memory memory{};
  std::memset(static_cast<void*>(&memory), 0xff, sizeof memory);
  memory.header = good().header;
  const Planted planted;
  planted.write(memory);
  SharedProgress progress([] { return std::vector{::getpid()}; });
  const double most = 64.0 * static_cast<double>(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(progress.done()->items, most);
  EXPECT_TRUE(progress.want_threads(3));
}

TEST(a_reader, does_not_count_backwards) {
  Memory memory = good();
  memory.slot[5].items = 100;
  const Planted planted;
  planted.write(memory);
  SharedProgress progress([] { return std::vector{::getpid()}; });
  EXPECT_EQ(progress.done()->items, 100);
  memory.slot[5].items = 10;
  planted.write(memory);
  EXPECT_EQ(progress.done()->items, 100);
  memory.slot[5].items = 103;
  planted.write(memory);
  EXPECT_EQ(progress.done()->items, 103);
}

TEST(a_reader, counts_each_of_1000_memories_that_come_and_go) {
  std::vector<pid_t> running{::getpid()};
  SharedProgress progress([&] { return running; });
  Memory memory = good();
  memory.slot[0].items = 1;
  for (int round = 0; round < 10; ++round) {
    std::vector<Planted> planted;
    for (int i = 0; i < 100; ++i)
      planted.emplace_back().write(memory);
    for (int call = 0; call < 11; ++call)
      (void)progress.done();
    planted.clear();
    running.clear();
    for (int call = 0; call < 11; ++call) // what is gone is forgotten but for its counts
      (void)progress.done();
    running = {::getpid()};
  }
  EXPECT_EQ(progress.done()->items, 1000);
}

TEST(a_reader, of_openmp_says_that_a_program_has_none) {
  SharedProgress progress([] { return std::vector<pid_t>{}; }, SharedProgress::Source::openmp);
  EXPECT_FALSE(progress.done());
  EXPECT_NE(progress.why_not().find("the program has no OpenMP runtime that says what it does"),
            std::string::npos);
}

TEST(a_reader, takes_of_openmp_or_of_calls_what_it_was_made_for) {
  Memory memory = good();
  memory.talk.openmp = 1;
  memory.slot[2] = {.items = 5, .arrivals = 0, .openmp_items = 8};
  const Planted planted;
  planted.write(memory);
  const auto self = [] { return std::vector{::getpid()}; };
  EXPECT_EQ(SharedProgress(self).done()->items, 5);
  EXPECT_EQ(SharedProgress(self, SharedProgress::Source::openmp).done()->items, 8);
}

} // namespace
} // namespace hypermile::backend::progress
