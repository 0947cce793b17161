// Calibrations whose job dies, from elsewhere, cut off or edited by hand.

#include "collective/bcast.hpp"

#include "support/processes.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

namespace hypermile::test {
namespace {

/// What does not depend on the library.
class AnyMpi : public Bcast {
protected:
  [[nodiscard]] static Words launcher(int ranks) { return mpirun(flavours().front(), ranks, {}); }
};

TEST_F(AnyMpi, a_calibration_whose_job_dies_keeps_what_is_finished_and_goes_on) {
  const std::string file = path("cal.json");
  const auto arguments = [&](const std::string& passes) {
    return words({"calibrate", "--sizes", "64KiB", "--segments", "0", "--passes", passes,
                  "--seconds", "0.05", "-q", "-o", file},
                 launcher(2));
  };
  RunningCommand running(arguments("1000"), "", job_environment(folder_.path("tmp")));
  for (int i = 0; i < 600 && read_file(file).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto program =
      HYPERMILE_BINARY_DIR "/libexec/hypermile/" + flavours().front() + "/collectives";
  for (const pid_t rank : processes_of(program, "TMPDIR=" + folder_.path("tmp")))
    ::kill(rank, SIGKILL);
  const auto died = running.wait();
  expect_nothing_left(folder_.path("tmp"));
  EXPECT_EQ(died.exit_code, 1);
  EXPECT_TRUE(has(died.err, "before it had done all")) << died.err;
  const auto kept = tune::parse_calibration(read_file(file), file);
  const auto& cells = kept.measured.at(0).cells;
  ASSERT_FALSE(cells.empty());
  // One pass more than the most that any cell has.
  const std::size_t passes = cells.front().times.size() + 1;
  ASSERT_EQ(command(arguments(std::to_string(passes)), {}).exit_code, 0);
  const auto more = tune::parse_calibration(read_file(file), file);
  for (const auto& cell : cells) {
    const auto* const found = find_cell(more.measured.at(0), cell.variant, cell.size_b);
    ASSERT_NE(found, nullptr);
    ASSERT_GE(found->times.size(), cell.times.size());
    EXPECT_TRUE(std::equal(cell.times.begin(), cell.times.end(), found->times.begin()));
  }
}

/// What was measured elsewhere, is cut off or edited by hand is refused with the reason, and stays.
TEST_F(AnyMpi, a_calibration_from_elsewhere_or_damaged_is_refused_and_kept) {
  const std::string file = path("cal.json");
  const Words calibrate{"calibrate", "--sizes", "64KiB",   "--segments", "0",  "--passes", "1",
                        "--seconds", "0.001",   "--meter", "none",       "-o", file};
  ASSERT_EQ(hypermile(calibrate, launcher(2)).exit_code, 0);
  const std::string good = read_file(file);
  const auto replaced = [&](const std::string& old, const std::string& by) {
    std::string text = good;
    return text.replace(text.find(old), old.size(), by);
  };
  struct Case {
    std::string text;
    std::string why;
    bool readable; ///< it is a calibration, only not of here
  };
  for (const auto& [text, why, readable] :
       {Case{replaced("\"version\": \"", "\"version\": \"older "), "MPI version was 'older", true},
        Case{replaced("\"machine\": \"", "\"machine\": \"other "), "machine was 'other", true},
        Case{good.substr(0, good.size() / 2), file, false},
        Case{replaced("\"times_s\":[", "\"times_s\":[-"), "times_s", false},
        Case{replaced("\"algorithm\":\"binomial\"", "\"algorithm\":\"binomia\""),
             "no algorithm 'binomia'", false}}) {
    write_file(file, text);
    const auto result = hypermile(calibrate, launcher(2));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(has(result.err, why)) << result.err;
    EXPECT_EQ(read_file(file), text);
    EXPECT_EQ(hypermile({"choose", file, "--least", "time"}).exit_code, readable ? 0 : 1);
  }
}

} // namespace
} // namespace hypermile::test
