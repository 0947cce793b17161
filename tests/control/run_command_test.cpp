#include "control/run_command.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

using namespace hypermile;
using namespace hypermile::control;

namespace {

using Words = std::vector<std::string>;

std::string failure(const Words& words, Seconds patience = Seconds{60}) {
  try {
    run_command(words, patience);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::hardware);
    return error.what();
  }
}

Words shell(const std::string& text) { return {"/bin/sh", "-c", text}; }

} // namespace

TEST(RunningACommand, succeeds_with_exit_code_0) { EXPECT_EQ(failure({"/bin/true"}), ""); }

TEST(RunningACommand, says_with_which_exit_code_it_failed_and_what_it_said) {
  EXPECT_EQ(
      failure(shell("echo nothing; echo 'no\ngear' >&2; exit 3")),
      "the command '/bin/sh -c echo\\ nothing;\\ echo\\ \\'no\ngear\\'\\ >&2;\\ exit\\ 3' failed "
      "with exit code 3: no gear");
  EXPECT_NE(failure(shell("kill -9 $$")).find("was killed by signal 9"), std::string::npos);
  EXPECT_NE(failure({"/nowhere/x"}).find("cannot start '/nowhere/x': No such file"),
            std::string::npos);
}

TEST(RunningACommand, ends_one_that_takes_too_long) {
  EXPECT_NE(failure(shell("exec sleep 600"), Seconds{0.05}).find("has not ended within 0.05 s"),
            std::string::npos);
}

TEST(RunningACommand, ends_one_that_babbles_on_and_on) {
  EXPECT_NE(
      failure(shell("while echo babble >&2; do :; done"), Seconds{0.05}).find("has not ended"),
      std::string::npos);
}

TEST(RunningACommand, does_not_wait_for_what_it_leaves_running) {
  EXPECT_EQ(failure(shell("sleep 600 & exit 0")), "");
}

TEST(RunningACommand, keeps_a_babbler_short) {
  EXPECT_LT(
      failure(shell("i=0; while [ $i -lt 3000 ]; do echo babble >&2; i=$((i+1)); done; exit 1"))
          .size(),
      3000U);
}

TEST(RunningACommand, gives_it_no_variable_of_ours) {
  ::setenv("HYPERMILE_SECRET", "1", 1);
  EXPECT_EQ(failure(shell("[ -z \"$HYPERMILE_SECRET\" ]")), "");
}
