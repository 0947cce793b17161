// Our programs as they are run: on any number of simulated ranks they verify, with the same
// result, and they notice when a message goes wrong.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/wait.h>

namespace {

struct Result {
  int exit_code;
  std::string text; ///< of stdout and stderr

  [[nodiscard]] bool says(const std::string& words) const {
    return text.find(words) != std::string::npos;
  }
};

/// Runs a program below the build folder with SMPI, and nothing else.
Result run(const std::string& program, int ranks, const std::string& arguments = "") {
  const std::string platform = HYPERMILE_BINARY_DIR "/tests/one_switch";
  const std::string command = HYPERMILE_SMPIRUN " -np " + std::to_string(ranks) + " -platform " +
                              platform + "/platform.xml -hostfile " + platform +
                              "/hosts --cfg=smpi/host-speed:1Gf --log=root.thres:warning " +
                              HYPERMILE_BINARY_DIR "/" + program + " " + arguments + " 2>&1";
  std::FILE* output = popen(command.c_str(), "r");
  if (output == nullptr)
    return {127, "cannot run " + command};
  Result done{0, ""};
  char block[4096];
  while (const std::size_t count = std::fread(block, 1, sizeof block, output))
    done.text.append(block, count);
  const int status = pclose(output);
  done.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return done;
}

Result run_app(const std::string& app, int ranks, const std::string& arguments = "") {
  return run("apps/smpi/" + app, ranks, arguments);
}

/// The number behind "`name`: "; none is no number.
double number_in(const Result& done, const std::string& name) {
  const auto begin = done.text.find("\n" + name + ": ");
  return begin == std::string::npos ? std::nan("")
                                    : std::strtod(&done.text[begin + name.size() + 3], nullptr);
}

struct App {
  const char* name;
  const char* result;     ///< what it prints behind its verdict
  std::vector<int> ranks; ///< besides one; the fewest first
};

void PrintTo(const App& app, std::ostream* out) { *out << app.name; }

class Apps : public testing::TestWithParam<App> {};

/// Runs class S, and returns the result; no number unless it verified.
double verified_result(const App& app, int ranks, const std::string& arguments) {
  const Result done = run_app(app.name, ranks, arguments);
  EXPECT_EQ(done.exit_code, 0) << done.text;
  EXPECT_TRUE(done.says("verification: successful")) << done.text;
  EXPECT_FALSE(done.says("WRONG")) << done.text;
  return done.exit_code == 0 ? number_in(done, app.result) : std::nan("");
}

void expect_one_result(const App& app, const std::vector<int>& ranks,
                       const std::string& arguments = "") {
  const double expected = verified_result(app, 1, arguments);
  for (const int count : ranks) { // rounding is in the order of a sum
    const double result = verified_result(app, count, arguments);
    EXPECT_LE(std::abs(result - expected), 1e-11 * std::abs(expected)) << count << " ranks";
  }
}

TEST_P(Apps, verify_with_the_same_result_on_any_number_of_ranks) {
  expect_one_result(GetParam(), GetParam().ranks);
}

TEST_P(Apps, verify_with_the_same_result_on_64_ranks) {
  expect_one_result(GetParam(), {64}, "--iterations 5");
}

TEST_P(Apps, do_as_many_iterations_as_they_are_told) {
  const App& app = GetParam();
  const int few = app.ranks.front();
  const Result one = run_app(app.name, few, "--iterations 1");
  EXPECT_EQ(one.exit_code, 0) << one.text;
  EXPECT_TRUE(one.says(", 1 iterations, " + std::to_string(few) + " ranks")) << one.text;
  EXPECT_TRUE(one.says("verification: successful")) << one.text;
  const Result none = run_app(app.name, few, "--iterations 0");
  EXPECT_EQ(none.exit_code, 2) << none.text;
  EXPECT_TRUE(none.says(std::string(app.name) + ": error: --iterations '0'")) << none.text;
}

TEST_P(Apps, notice_messages_that_go_wrong) {
  const App& app = GetParam();
  const Result done = run(std::string("tests/programs/smpi/faulty_") + app.name, app.ranks.front());
  EXPECT_EQ(done.exit_code, 1) << done.text;
  EXPECT_TRUE(done.says("WRONG")) << done.text;
  EXPECT_TRUE(done.says("verification: FAILED")) << done.text;
}

/// That it verified; with that, the residual of the assembled solution is below the tolerance.
void expect_solved(int ranks, const std::string& arguments) {
  SCOPED_TRACE(arguments);
  const Result done = run_app("multisplitting", ranks, arguments);
  EXPECT_EQ(done.exit_code, 0) << done.text;
  EXPECT_TRUE(done.says("verification: successful")) << done.text;
  EXPECT_LE(number_in(done, "residual"), 1.000000001e-6) << done.text;
}

TEST(multisplitting, needs_no_other_iterations_for_other_ranks_in_the_clusters) {
  const Result one = run_app("multisplitting", 2, "--grid 12 --clusters 2 --inner-tolerance 0");
  ASSERT_EQ(one.exit_code, 0) << one.text;
  const Result three = run_app("multisplitting", 6, "--grid 12 --clusters 2 --inner-tolerance 0");
  EXPECT_EQ(number_in(three, "outer iterations"), number_in(one, "outer iterations"));
  EXPECT_NEAR(number_in(three, "residual"), number_in(one, "residual"), 1e-10); // rounding
}

TEST(multisplitting, solves_whatever_the_clusters_are_and_whether_they_wait_or_not) {
  for (const std::string outer : {"sync", "async"}) {
    expect_solved(1, "--grid 1 --outer " + outer);
    expect_solved(3, "--grid 8 --clusters 1 --outer " + outer);
    expect_solved(5, "--grid 9 --clusters 2 --outer " + outer);
    expect_solved(4, "--grid 4 --clusters 4 --outer " + outer); // a plane for each
  }
}

TEST(multisplitting, ends_and_not_early_when_messages_are_late_or_lost) {
  for (int seed = 0; seed < 12; ++seed)
    expect_solved(2 + seed % 3, "--grid 7 --clusters " + std::to_string(2 + seed % 3 / 2) +
                                    " --outer async --disturb " + std::to_string(seed));
}

TEST(multisplitting, says_so_when_it_gives_up) {
  for (const std::string outer : {"sync", "async"}) {
    const Result done = run_app("multisplitting", 3, "--limit 5 --outer " + outer);
    EXPECT_EQ(done.exit_code, 1) << done.text;
    EXPECT_TRUE(done.says("WRONG: the tolerance is reached within 5 outer iterations"))
        << done.text;
    EXPECT_TRUE(done.says("verification: FAILED")) << done.text;
  }
}

TEST(multisplitting, notices_messages_that_go_wrong) {
  for (const std::string outer : {"sync", "async"}) {
    const Result done = run("tests/programs/smpi/faulty_multisplitting", 2,
                            "--grid 12 --limit 300 --outer " + outer);
    EXPECT_EQ(done.exit_code, 1) << done.text;
    EXPECT_TRUE(done.says("WRONG")) << done.text;
    EXPECT_TRUE(done.says("verification: FAILED")) << done.text;
  }
}

TEST(multisplitting, refuses_more_clusters_than_ranks_or_planes) {
  const Result ranks = run_app("multisplitting", 2, "--clusters 3");
  EXPECT_EQ(ranks.exit_code, 2) << ranks.text;
  EXPECT_TRUE(ranks.says("multisplitting: error: there are more clusters than ranks; try: "
                         "--clusters 2"))
      << ranks.text;
  const Result planes = run_app("multisplitting", 5, "--clusters 1 --grid 4");
  EXPECT_EQ(planes.exit_code, 2) << planes.text;
  EXPECT_TRUE(planes.says("; try: --grid 5")) << planes.text;
}

TEST(wavefront, verifies_after_it_has_converged_to_rounding) {
  const Result done = run_app("wavefront", 2, "--iterations 140");
  EXPECT_EQ(done.exit_code, 0) << done.text;
  EXPECT_LT(number_in(done, "residual norm"), 1e-12) << done.text;
}

TEST(transpose, refuses_ranks_that_do_not_divide_the_square) {
  const Result done = run_app("transpose", 6);
  EXPECT_EQ(done.exit_code, 2) << done.text;
  EXPECT_TRUE(done.says("transpose: error: ")) << done.text;
  EXPECT_TRUE(done.says("; try: a power of two, at most 256")) << done.text;
}

INSTANTIATE_TEST_SUITE_P(Programs, Apps,
                         testing::Values(App{"halo2d", "norm", {2, 4, 6, 8, 9}},
                                         App{"heat3d", "norm", {2, 4, 6, 8, 27}},
                                         App{"master_worker", "sum of integrals", {2, 4, 6, 8}},
                                         App{"mergesort", "median", {2, 4, 6, 8, 27, 32}},
                                         App{"mixed", "mean", {2, 4, 6, 8}},
                                         App{"multipartition", "sum of squares", {4, 9, 16}},
                                         App{"particles", "potential energy", {2, 4, 6, 8}},
                                         App{"refine", "sum of squares", {2, 4, 6, 8}},
                                         App{"ring", "kinetic energy", {2, 4, 6, 8}},
                                         App{"transpose", "density in the corner", {2, 4, 8}},
                                         App{"tree", "eigenvalue", {2, 4, 6, 8}},
                                         App{"triad", "mean", {2, 4, 6, 8}},
                                         App{"wavefront", "residual norm", {2, 4, 6, 8, 9}}),
                         [](const auto& of) { return std::string(of.param.name); });

} // namespace
