#include "sweep/results_folder.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace hypermile::sweep {
namespace {

namespace fs = std::filesystem;
using Kind = FileLock::Kind;

Place place_of(const std::string& platform, std::size_t repetition = 1) {
  Place place{.cell = {}, .fingerprint = "0123", .recording = "4567"};
  place.cell.program = "cg";
  place.cell.class_name = "A";
  place.cell.ranks = 8;
  place.cell.platform = platform;
  place.cell.repetition = repetition;
  return place;
}

TEST(a_result, has_a_name_that_says_what_it_is) {
  const ResultsFolder folder("out");
  EXPECT_EQ(folder.file_of(place_of("table-3.1")), "out/cg-A-8-table-3.1-0123.json");
  EXPECT_EQ(folder.file_of(place_of("../my own/cluster.yaml", 2)),
            "out/cg-A-8-r2-cluster.yaml-0123.json");
  EXPECT_EQ(folder.recording_of(place_of("table-3.1")), "out/recordings/cg-A-8-4567.txt");
}

TEST(a_result, is_found_again_and_not_that_of_another_fingerprint) {
  const test::TemporaryFolder temporary;
  const ResultsFolder folder(temporary.path("a/b"));
  const FileLock lock = folder.lock(Kind::alone);
  Place place = place_of("table-3.1");
  folder.keep(place,
              {.status = study::Outcome::Status::failed, .reason = "why", .took = {}, .runs = {}},
              "");
  EXPECT_EQ(folder.find(place).reason, "why");
  place.fingerprint = "0124";
  EXPECT_EQ(folder.find(place).status, study::Outcome::Status::missing);
}

TEST(a_result, that_cannot_be_kept_is_an_error) {
  const ResultsFolder folder("/proc/nowhere");
  EXPECT_THROW(folder.keep(place_of("p"), {}, ""), Error);
  EXPECT_THROW((void)folder.lock(Kind::alone), Error);
}

TEST(a_lock, keeps_other_sweeps_out_and_lets_tasks_of_a_job_array_in) {
  const test::TemporaryFolder temporary;
  const ResultsFolder folder(temporary.path());
  {
    const FileLock alone = folder.lock(Kind::alone);
    EXPECT_THROW((void)folder.lock(Kind::alone), Error);
    EXPECT_THROW((void)folder.lock(Kind::shared), Error);
  }
  const FileLock one = folder.lock(Kind::shared);
  const FileLock two = folder.lock(Kind::shared);
  EXPECT_THROW((void)folder.lock(Kind::alone), Error);
}

} // namespace
} // namespace hypermile::sweep
