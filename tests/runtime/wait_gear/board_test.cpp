#include "runtime/wait_gear/board.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace hypermile::runtime {
namespace {

TEST(a_wait_board, knows_since_when_all_ranks_wait) {
  WaitBoard board = WaitBoard::create(2);
  EXPECT_FALSE(board.waits());
  board.enter(0, 1'000, WaitBoard::unknown);
  EXPECT_FALSE(board.waits());
  board.enter(1, 3'000, WaitBoard::unknown);
  ASSERT_TRUE(board.waits());
  EXPECT_DOUBLE_EQ(board.waits()->since.value(), 3e-6);
  EXPECT_FALSE(board.waits()->until);
  board.leave(0, 4'000);
  EXPECT_FALSE(board.waits());
}

TEST(a_wait_board, knows_when_the_first_rank_goes_on_if_every_rank_does) {
  WaitBoard board = WaitBoard::create(2);
  board.enter(0, 1, 9'000);
  board.enter(1, 1, 7'000);
  EXPECT_DOUBLE_EQ(board.waits()->until.value_or(Seconds{}).value(), 7e-6);
  board.leave(1, 2);
  board.enter(1, 3, WaitBoard::unknown);
  EXPECT_FALSE(board.waits()->until);
}

TEST(a_wait_board, is_one_and_the_same_for_all_processes) {
  WaitBoard board = WaitBoard::create(2);
  board.enter(0, 5, WaitBoard::unknown);
  const pid_t child = ::fork();
  if (child == 0) {
    int failed = 1;
    try {
      WaitBoard other = WaitBoard::open(board.address());
      other.enter(1, 8, WaitBoard::unknown);
      failed = other.ranks() == 2 && other.all_wait() ? 0 : 2;
    } catch (const std::exception&) {
    }
    ::_exit(failed);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE(board.waits());
  EXPECT_DOUBLE_EQ(board.waits()->since.value(), 8e-9);
}

TEST(a_wait_board, is_not_taken_for_another_file) {
  const WaitBoard board = WaitBoard::create(1);
  const std::string address = board.address();
  const std::string place = address.substr(0, address.rfind(':'));
  for (const std::string& wrong :
       {std::string(), std::string("1"), place + ":1",
        address.substr(0, address.find(':')) + ":0:1", std::string("999999999:3:1")})
    EXPECT_THROW((void)WaitBoard::open(wrong), Error) << wrong;
}

TEST(a_wait_board, refuses_to_lower_while_a_rank_computes) {
  WaitBoard board = WaitBoard::create(2);
  board.enter(0, 1, WaitBoard::unknown);
  EXPECT_FALSE(board.begin_low());
  const std::uint32_t seen = board.rung();
  board.leave(0, 2);
  EXPECT_EQ(board.rung(), seen); // nobody is to be told
}

TEST(a_wait_board, is_rung_once_by_the_first_rank_that_goes_on) {
  WaitBoard board = WaitBoard::create(2);
  board.enter(0, 1, WaitBoard::unknown);
  board.enter(1, 1, WaitBoard::unknown);
  ASSERT_TRUE(board.begin_low());
  EXPECT_FALSE(board.first_on());
  const std::uint32_t seen = board.rung();
  board.leave(1, 7);
  board.leave(0, 9);
  EXPECT_EQ(board.rung(), seen + 1);
  EXPECT_EQ(board.first_on(), 7);
}

TEST(a_wait_board, is_rung_at_once_where_all_ranks_expect_a_long_wait) {
  WaitBoard board = WaitBoard::create(2);
  board.want_waits_of(1'000);
  const std::uint32_t seen = board.rung();
  const auto both = [&board](std::int64_t first, std::int64_t second) {
    board.enter(0, 10, first);
    board.enter(1, 10, second);
    board.leave(0, 11);
    board.leave(1, 11);
    return board.rung();
  };
  EXPECT_EQ(both(500, 5'000), seen);
  EXPECT_EQ(both(5'000, 500), seen);
  EXPECT_EQ(both(5'000, WaitBoard::unknown), seen);
  EXPECT_EQ(both(5'000, 5'000), seen + 1);
}

/// Of ranks as threads: none is told of in vain, and no ring is lost.
TEST(a_wait_board, never_lets_the_gear_low_where_ranks_come_and_go) {
  constexpr std::size_t ranks = 3;
  constexpr int rounds = 3'000;
  WaitBoard board = WaitBoard::create(ranks);
  std::atomic<bool> low = false;
  std::atomic<std::size_t> running = ranks;
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      for (int i = 0; i < rounds; ++i) {
        board.enter(r, monotonic_ns(), WaitBoard::unknown);
        std::this_thread::yield();
        board.leave(r, monotonic_ns());
        while (low.load()) // ends only if somebody raises it, and nobody but a ring makes him
          std::this_thread::yield();
      }
      board.enter(r, monotonic_ns(), WaitBoard::unknown);
      if (--running == 0)
        board.ring();
    });
  std::size_t lowered = 0;
  while (running.load() != 0) {
    const std::uint32_t seen = board.rung();
    if (board.begin_low()) {
      low = true;
      ++lowered;
      if (board.all_wait() && running.load() != 0)
        board.sleep(seen, std::nullopt, false);
      low = false;
      board.end_low();
    } else if (running.load() != 0) {
      board.sleep(seen, std::nullopt, true);
    }
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_GT(lowered, 0U);
}

} // namespace
} // namespace hypermile::runtime
