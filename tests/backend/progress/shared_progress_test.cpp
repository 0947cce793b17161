// The library inside a program, and who reads what it reports, in real processes.

#include "backend/progress/program.hpp"
#include "backend/progress/shared_progress.hpp"
#include "control/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

namespace hypermile::backend::progress {
namespace {

using Words = std::vector<std::string>;
using Running = std::vector<pid_t>;

Words reporting(const Words& what) {
  Words command{HYPERMILE_REPORTING};
  command.insert(command.end(), what.begin(), what.end());
  return command;
}

const Program::Environment preloaded{{"LD_PRELOAD", HYPERMILE_PROGRESS_LIBRARY}};

/// A program that we started, and told of our memory.
Program::Environment started_by(const SharedProgress& progress) {
  Program::Environment environment = preloaded;
  environment[hypermile::progress::memory_variable] = progress.environment();
  return environment;
}

SharedProgress reader_of(const Program& program) {
  return SharedProgress([pid = program.pid()] { return Running{pid}; });
}

/// A process and its children.
SharedProgress::Processes family_of(pid_t pid) {
  return [pid] {
    Running running{pid};
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
    for (pid_t child = 0; children >> child;)
      running.push_back(child);
    return running;
  };
}

/// But for those whose numbers no program expects.
std::size_t usual_files(pid_t pid) {
  const std::filesystem::directory_iterator files(fmt::format("/proc/{}/fd", pid));
  return static_cast<std::size_t>(std::count_if(begin(files), end(files), [](const auto& file) {
    return std::stoi(file.path().filename().string()) < 1000;
  }));
}

// ---- programs that have a memory of their own --------------------------------------------------

TEST(a_program_that_runs_already, has_reported_nothing_until_it_does) {
  Program program(reporting({"meet", "progress", "5", "meet"}), preloaded);
  SharedProgress progress = reader_of(program);
  program.meet();
  EXPECT_FALSE(progress.done());
  program.meet_again();
  ASSERT_TRUE(progress.done());
  EXPECT_EQ(progress.done()->items, 5);
  EXPECT_FALSE(progress.done()->arrivals);
  EXPECT_EQ(progress.why_not(), "");
}

TEST(a_program_that_runs_already, reports_what_arrives_and_what_it_has_done) {
  Program program(reporting({"arrival", "7", "meet", "progress", "3", "meet"}), preloaded);
  SharedProgress progress = reader_of(program);
  program.meet();
  EXPECT_EQ(progress.done()->items, 0);
  EXPECT_EQ(progress.done()->arrivals, 7);
  program.meet_again();
  EXPECT_EQ(progress.done()->items, 3);
}

TEST(a_program_that_runs_already, may_be_linked_to_the_library) {
  Program program({HYPERMILE_REPORTING_LINKED, "progress", "5", "meet"}, {});
  SharedProgress progress = reader_of(program);
  program.meet();
  ASSERT_TRUE(progress.done());
  EXPECT_EQ(progress.done()->items, 5);
}

TEST(a_program_that_runs_already, may_have_the_library_twice) {
  // Once linked, once preloaded from another place.
  const auto copy =
      std::filesystem::temp_directory_path() / fmt::format("hypermile-progress-{}.so", ::getpid());
  std::filesystem::copy_file(HYPERMILE_PROGRESS_LIBRARY, copy,
                             std::filesystem::copy_options::overwrite_existing);
  Program program({HYPERMILE_REPORTING_LINKED, "progress", "5", "arrival", "2", "meet"},
                  {{"LD_PRELOAD", copy.string()}});
  SharedProgress progress = reader_of(program);
  program.meet();
  EXPECT_EQ(progress.done()->items, 5);
  EXPECT_EQ(progress.done()->arrivals, 2);
  std::filesystem::remove(copy);
}

TEST(a_program_that_runs_already, counts_once_what_forked_processes_share) {
  Program program(reporting({"progress", "5", "fork", "progress", "2", "meet"}), preloaded);
  SharedProgress progress(family_of(program.pid()));
  program.meet();
  EXPECT_EQ(progress.done()->items, 7);
}

TEST(a_program_that_runs_already, counts_each_process_with_a_memory_of_its_own) {
  Program program(reporting({"fork", "progress", "2", "meet"}), preloaded);
  Program other(reporting({"progress", "3", "meet"}), preloaded);
  SharedProgress progress([&] {
    Running running = family_of(program.pid())();
    running.push_back(other.pid());
    return running;
  });
  program.meet();
  other.meet();
  EXPECT_EQ(progress.done()->items, 5);
}

TEST(a_program_that_runs_already, keeps_what_was_done_before_it_became_another_one) {
  Program program(reporting({"progress", "5", "meet", "exec", "progress", "2", "meet"}), preloaded);
  SharedProgress progress = reader_of(program);
  program.meet();
  EXPECT_EQ(progress.done()->items, 5);
  program.meet_again();
  double items = 0;
  for (int call = 0; call < 11; ++call) // not each call looks at everything
    items = progress.done()->items;
  EXPECT_EQ(items, 7);
}

TEST(a_program_that_runs_already, keeps_what_was_done_when_it_has_ended) {
  Program program(reporting({"progress", "5", "meet", "progress", "4"}), preloaded);
  Running running{program.pid()};
  SharedProgress progress([&] { return running; });
  program.meet();
  EXPECT_EQ(progress.done()->items, 5);
  program.go_on();
  EXPECT_EQ(program.end(), 0);
  running.clear();
  EXPECT_EQ(progress.done()->items, 9) << "the last items are in a memory that we have, too";
}

TEST(a_program_that_runs_already, may_close_what_it_does_not_know_when_we_have_looked) {
  Program program(reporting({"progress", "5", "meet", "close", "progress", "4", "meet"}),
                  preloaded);
  SharedProgress progress = reader_of(program);
  program.meet();
  EXPECT_EQ(progress.done()->items, 5);
  program.meet_again();
  EXPECT_EQ(progress.done()->items, 9);
}

// ---- programs that we start --------------------------------------------------------------------

TEST(a_program_that_we_start, loses_nothing_however_short_its_processes_live) {
  SharedProgress progress([] { return Running{}; });
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(
        Program(reporting({"progress", "1", "fork", "progress", "2"}), started_by(progress)).end(),
        0);
  EXPECT_EQ(progress.done()->items, 9);
}

TEST(a_program_that_we_start, may_close_all_that_it_does_not_know) {
  SharedProgress progress([] { return Running{}; });
  Program program(
      reporting({"close", "progress", "5", "close", "progress", "4", "exec", "progress", "1"}),
      started_by(progress));
  EXPECT_EQ(program.end(), 0);
  EXPECT_EQ(progress.done()->items, 10);
}

TEST(a_program_that_we_start, has_the_descriptors_that_it_has_without_us) {
  SharedProgress progress([] { return Running{}; });
  Program program(reporting({"progress", "5", "meet"}), started_by(progress));
  Program running(reporting({"progress", "5", "meet"}), preloaded);
  Program alone(reporting({"progress", "5", "meet"}), {});
  for (Program* each : {&program, &running, &alone})
    each->meet();
  EXPECT_EQ(usual_files(program.pid()), usual_files(alone.pid()));
  EXPECT_EQ(usual_files(running.pid()), usual_files(alone.pid()));
}

TEST(a_program_that_we_start, can_be_watched_by_others_when_we_are_gone) {
  auto progress = std::make_unique<SharedProgress>([] { return Running{}; });
  Program program(reporting({"progress", "5", "meet", "progress", "4", "meet"}),
                  started_by(*progress));
  program.meet();
  EXPECT_EQ(progress->done()->items, 5);
  progress.reset();
  SharedProgress other = reader_of(program);
  EXPECT_EQ(other.done()->items, 5);
  program.meet_again();
  EXPECT_EQ(other.done()->items, 9);
}

TEST(a_program_that_we_start, counts_once_though_its_processes_have_our_memory_open) {
  pid_t pid = 0;
  SharedProgress progress([&] { return Running{pid}; });
  Program program(reporting({"progress", "5", "meet"}), started_by(progress));
  program.meet();
  pid = program.pid();
  EXPECT_EQ(progress.done()->items, 5);
}

TEST(a_program_that_we_start, counts_every_item_of_200_threads) {
  SharedProgress progress([] { return Running{}; });
  Program program(reporting({"threads", "200"}), started_by(progress));
  EXPECT_EQ(program.end(), 0);
  EXPECT_EQ(progress.done()->items, 200'000);
}

TEST(a_program_that_we_start, has_a_memory_of_its_own_where_ours_is_not_there) {
  for (const std::string elsewhere : {"/proc/1/fd/99999", "/dev/null", "/proc/self/fd/1", ""}) {
    Program program(reporting({"progress", "5", "meet"}),
                    {{"LD_PRELOAD", HYPERMILE_PROGRESS_LIBRARY},
                     {hypermile::progress::memory_variable, elsewhere}});
    SharedProgress progress = reader_of(program);
    program.meet();
    ASSERT_TRUE(progress.done()) << elsewhere;
    EXPECT_EQ(progress.done()->items, 5);
  }
}

TEST(a_program_without_the_library, runs_as_ever) {
  Program program(reporting({"progress", "5", "arrival", "1", "resizable", "meet"}), {});
  SharedProgress progress = reader_of(program);
  program.meet();
  EXPECT_FALSE(progress.done());
  EXPECT_FALSE(progress.want_threads(2));
  program.go_on();
  EXPECT_EQ(program.end(), 0);
}

// ---- threads -----------------------------------------------------------------------------------

TEST(a_program_with_a_callback, is_told_in_its_next_call_and_once) {
  SharedProgress progress([] { return Running{}; });
  Program program(
      reporting({"progress", "1", "meet", "resizable", "meet", "progress", "1", "progress", "1"}),
      started_by(progress));
  program.meet();
  EXPECT_FALSE(progress.want_threads(3)) << "it has not said that it can";
  program.meet_again();
  EXPECT_TRUE(progress.want_threads(2));
  program.go_on();
  EXPECT_EQ(program.read_to('\n'), "2 threads\n");
  EXPECT_EQ(program.read_to('\n'), "");
  EXPECT_EQ(program.end(), 0);
  EXPECT_EQ(progress.done()->items, 4) << "one of them from within the callback";
}

TEST(a_program_with_a_callback, is_told_of_each_change) {
  SharedProgress progress([] { return Running{}; });
  Program program(reporting({"resizable", "meet", "progress", "1", "meet", "progress", "1", "meet",
                             "progress", "1", "fixed", "progress", "1"}),
                  started_by(progress));
  program.meet();
  EXPECT_TRUE(progress.want_threads(2));
  program.go_on();
  EXPECT_EQ(program.read_to('\n'), "2 threads\n");
  program.meet();
  EXPECT_TRUE(progress.want_threads(1));
  program.go_on();
  EXPECT_EQ(program.read_to('\n'), "1 threads\n");
  program.meet();
  EXPECT_TRUE(progress.want_threads(0)) << "no wish any more";
  program.go_on();
  EXPECT_EQ(program.end(), 0);
  EXPECT_EQ(program.read_to('\n'), "");
  EXPECT_FALSE(progress.want_threads(3)) << "it has taken the callback back";
}

TEST(a_program_with_a_callback, is_told_by_one_thread_at_a_time) {
  SharedProgress progress([] { return Running{}; });
  progress.want_threads(2);
  Program program(reporting({"told_twice"}), started_by(progress));
  program.meet(); // in the callback
  progress.want_threads(5);
  const double before = progress.done().value_or(control::Done{}).items;
  EXPECT_TRUE(test::comes_true([&] { // the other thread has had the time to see it
    return progress.done().value_or(control::Done{}).items > before + 10'000;
  }));
  program.go_on();
  EXPECT_EQ(program.read_to('\n'), "2 threads\n");
  EXPECT_EQ(program.read_to('\n'), "5 threads\n");
  EXPECT_EQ(program.end(), 0);
}

TEST(a_program_with_a_callback, may_have_been_there_before_us) {
  Program program(reporting({"resizable", "progress", "1", "meet", "progress", "1"}), preloaded);
  SharedProgress progress = reader_of(program);
  program.meet();
  ASSERT_TRUE(progress.done());
  EXPECT_TRUE(progress.want_threads(6));
  program.go_on();
  EXPECT_EQ(program.read_to('\n'), "6 threads\n");
}

// ---- what goes wrong ---------------------------------------------------------------------------

TEST(a_reader, says_that_a_program_is_somebody_elses) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0)
      ::_exit(2);
    SharedProgress progress([] { return Running{1}; });
    const bool nothing = !progress.done();
    const bool said = progress.why_not().find("cannot read /proc/1/fd: Permission denied") == 0;
    ::_exit(nothing && said ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(a_reader, does_not_mind_processes_that_have_ended) {
  SharedProgress progress([] { return Running{999'999'999}; });
  EXPECT_FALSE(progress.done());
  EXPECT_EQ(progress.why_not(), "");
}

} // namespace
} // namespace hypermile::backend::progress
