#include "runtime/decide/helper_thread.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace hypermile::runtime {
namespace {

TEST(helper_thread, does_one_task_after_the_other_beside_the_caller) {
  HelperThread helper;
  EXPECT_TRUE(helper.done());
  for (int task = 1; task <= 3; ++task) {
    std::promise<void> go;
    int result = 0;
    helper.start([&, may_go = go.get_future().share()] {
      may_go.wait();
      result = task;
    });
    EXPECT_FALSE(helper.done());
    go.set_value();
    while (!helper.done())
      std::this_thread::yield();
    EXPECT_EQ(result, task);
  }
}

TEST(helper_thread, is_waited_for_in_the_end) {
  int result = 0;
  {
    HelperThread helper;
    helper.start([&] { result = 1; });
  }
  EXPECT_EQ(result, 1);
  HelperThread helper;
  helper.wait(); // for nothing
}

TEST(helper_thread, takes_none_of_the_programs_signals) {
  sigset_t in_helper;
  sigemptyset(&in_helper);
  HelperThread helper;
  helper.start([&] { pthread_sigmask(SIG_BLOCK, nullptr, &in_helper); });
  helper.wait();
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1, SIGALRM})
    EXPECT_EQ(sigismember(&in_helper, signal), 1) << signal;
  sigset_t here;
  pthread_sigmask(SIG_BLOCK, nullptr, &here);
  EXPECT_EQ(sigismember(&here, SIGTERM), 0);
}

TEST(helper_thread, is_not_waited_for_in_a_forked_child) {
  std::promise<void> go;
  HelperThread helper;
  helper.start([may_go = go.get_future().share()] { may_go.wait(); });
  const pid_t child = fork();
  if (child == 0) {
    helper.wait();
    _exit(7);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  go.set_value();
}

} // namespace
} // namespace hypermile::runtime
