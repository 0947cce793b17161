// The library that an OpenMP runtime loads, with one that does so: LLVM's.

#include "backend/progress/program.hpp"
#include "backend/progress/shared_progress.hpp"

namespace hypermile::backend::progress {
namespace {

std::vector<pid_t> nothing_running() { return {}; }

Program::Environment environment(const SharedProgress& progress, const std::string& threads) {
  return {{"OMP_TOOL_LIBRARIES", HYPERMILE_OPENMP_LIBRARY},
          {"OMP_NUM_THREADS", threads},
          {hypermile::progress::memory_variable, progress.environment()}};
}

TEST(an_openmp_program, has_done_regions_loops_and_tasks_whatever_its_threads) {
  for (const std::string threads : {"1", "2", "5"}) {
    SharedProgress progress(nothing_running, SharedProgress::Source::openmp);
    Program program({HYPERMILE_OPENMP}, environment(progress, threads));
    EXPECT_EQ(program.end(), 0);
    ASSERT_TRUE(progress.done()) << progress.why_not();
    EXPECT_EQ(progress.done()->items, 34) << "on " << threads << " threads";
  }
}

TEST(an_openmp_program, calls_nothing_by_itself) {
  SharedProgress progress(nothing_running, SharedProgress::Source::calls);
  Program program({HYPERMILE_OPENMP}, environment(progress, "2"));
  EXPECT_EQ(program.end(), 0);
  EXPECT_FALSE(progress.done());
}

TEST(an_openmp_program, that_does_not_tell_us_is_said_not_to) {
  SharedProgress progress(nothing_running, SharedProgress::Source::openmp);
  Program::Environment off = environment(progress, "2");
  off["OMP_TOOL"] = "disabled";
  Program program({HYPERMILE_OPENMP}, off);
  EXPECT_EQ(program.end(), 0);
  EXPECT_FALSE(progress.done());
  EXPECT_EQ(progress.why_not().rfind("the program has no OpenMP runtime that says", 0), 0);
}

} // namespace
} // namespace hypermile::backend::progress
