#include "tune/program_output.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::tune {
namespace {

const std::string mark = "hypermile-collectives: ";

template <class Kind> Kind read(const std::string& line) {
  return std::get<Kind>(parse_line(mark + line).value());
}

TEST(ProgramOutput, reads_each_kind_of_line) {
  const auto hello = read<Hello>("hello openmpi 4 2 Open MPI v4.1.4, package");
  EXPECT_EQ(hello.library, "openmpi");
  EXPECT_EQ(hello.processes, 4U);
  EXPECT_EQ(hello.nodes, 2U);
  EXPECT_EQ(hello.version, "Open MPI v4.1.4, package");
  EXPECT_EQ(read<Begin>("begin 7").cell, 7U);
  const auto timed = read<Timed>("timed 7 1.5e-3 2.5e-3 20 chain");
  EXPECT_DOUBLE_EQ(timed.time.value(), 1.5e-3);
  EXPECT_DOUBLE_EQ(timed.inside.value(), 2.5e-3);
  EXPECT_EQ(timed.repetitions, 20U);
  EXPECT_EQ(timed.algorithm, "chain");
  const auto simulated = read<Simulated>("simulated 3 0.5 0.75 120.25");
  EXPECT_EQ(simulated.cell, 3U);
  EXPECT_EQ(simulated.time, Seconds{0.5});
  EXPECT_EQ(simulated.inside, Seconds{0.75});
  EXPECT_EQ(simulated.power, Watts{120.25});
  EXPECT_EQ(read<Saw>("saw 4 1024 ?").algorithm, "?");
  (void)read<Done>("done");
}

TEST(ProgramOutput, lines_of_others_are_none) {
  for (const char* const line :
       {"", "done", "hello openmpi 4 2 x", "a hypermile-collectives: done"})
    EXPECT_FALSE(parse_line(line).has_value()) << line;
}

TEST(ProgramOutput, refuses_what_only_looks_like_it) {
  for (const char* const line : {"",
                                 "begin",
                                 "begin x",
                                 "begin 1 2",
                                 "timed 1 0 1 3 chain",
                                 "timed 1 -1 1 3 chain",
                                 "timed 1 nan 1 3 chain",
                                 "timed 1 1 0 3 chain",
                                 "timed 1 1 inf 3 chain",
                                 "simulated 1 0 5 5",
                                 "simulated 1 5 0 5",
                                 "simulated 1 5 5 nan",
                                 "simulated 1 5 5",
                                 "timed 1 1e-3 3 chain",
                                 "saw 1",
                                 "done done",
                                 "other 1",
                                 "hello openmpi 0 0 x",
                                 "hello openmpi 1 2 x",
                                 "hello openmpi 2 1"})
    EXPECT_THROW((void)parse_line(mark + line), Error) << line;
}

} // namespace
} // namespace hypermile::tune
