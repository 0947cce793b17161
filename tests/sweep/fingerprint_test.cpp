#include "sweep/fingerprint.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace hypermile::sweep {
namespace {

/// A study's folder, and one with bundled platforms.
class FingerprintTest : public testing::Test {
protected:
  FingerprintTest() {
    std::filesystem::create_directory(folder.path("bundled"));
    write("app", "program");
    write("in.txt", "input");
    write("rec.txt", "recording");
    write("bundled/p.yaml", "platform");
    cell.program = "app";
    cell.platform = "p";
    cell.arguments = {"simulate", "--platform=p", "--computation=rec.txt", "--", "./app", "in.txt"};
    cell.recorder = {"simulate", "--platform=p", "--method=none", "--reference-speed=1Gf",
                     "--",       "./app",        "in.txt"};
  }
  void write(const std::string& name, const std::string& text) const {
    io::write_text_file(folder.path(name), text);
  }
  [[nodiscard]] Fingerprints fingerprints(const std::string& version = "1") const {
    return Fingerprints({.version = version,
                         .study_folder = folder.path(),
                         .platform_folder = folder.path("bundled")});
  }
  [[nodiscard]] std::string fingerprint() const { return fingerprints().of(cell); }
  [[nodiscard]] std::string of_recording() const { return fingerprints().of_recording(cell); }

  test::TemporaryFolder folder;
  study::Cell cell;
};

TEST_F(FingerprintTest, changes_with_everything_that_determines_the_cell) {
  std::set<std::string> seen{fingerprint()};
  const auto expect_new = [&](const char* what) {
    EXPECT_TRUE(seen.insert(fingerprint()).second) << what;
  };
  for (const char* file : {"app", "in.txt", "rec.txt", "bundled/p.yaml"}) {
    write(file, "other");
    expect_new(file);
  }
  cell.repetition = 2;
  expect_new("repetition");
  cell.arguments[5] = "in2.txt";
  expect_new("argument");
  EXPECT_TRUE(seen.insert(fingerprints("2").of(cell)).second);
}

TEST_F(FingerprintTest, changes_with_the_components_of_a_platform) {
  std::filesystem::create_directories(folder.path("bundled/components"));
  const std::string begin = "schema: hypermile/component/1\nname: net\nkind: network\n"
                            "description: d\nlatency: {value: 1us, source: s}\n";
  write("bundled/components/net.yaml", begin + "bandwidth: {value: 1Gbps, source: s}\n");
  const std::string without = fingerprint(); // of a platform that takes nothing from it
  write("bundled/p.yaml", "schema: hypermile/platform/1\nname: p\ndescription: d\ntypes:\n"
                          "  - {name: t, count: 1, speed: 1Gf, gears: [1GHz], "
                          "power: {dynamic: 1W, static: 1W}}\nnetwork: {component: net}\n");
  const std::string before = fingerprint();
  EXPECT_NE(before, without);
  write("bundled/components/net.yaml", begin + "bandwidth: {value: 2Gbps, source: s}\n");
  EXPECT_NE(fingerprint(), before);
  write("bundled/p.yaml", "platform");
  EXPECT_EQ(fingerprint(), without);
}

TEST_F(FingerprintTest, is_the_same_for_the_same) {
  const std::string before = fingerprint();
  write("other.txt", "which nothing names");
  cell.number = 7; // its place in the study
  EXPECT_EQ(fingerprint(), before);
}

TEST_F(FingerprintTest, does_not_take_the_end_of_a_word_for_the_begin_of_the_next) {
  cell.arguments = {"a", "bc"};
  const std::string one = fingerprint();
  cell.arguments = {"ab", "c"};
  EXPECT_NE(fingerprint(), one);
}

TEST_F(FingerprintTest, takes_a_platform_of_the_study_before_a_bundled_one) {
  const std::string bundled = fingerprint();
  write("p", "own");
  const std::string own = fingerprint();
  EXPECT_NE(own, bundled);
  write("bundled/p.yaml", "other");
  EXPECT_EQ(fingerprint(), own);
}

TEST_F(FingerprintTest, of_a_recording_depends_on_the_program_and_not_on_methods_or_platform) {
  const std::string before = of_recording();
  cell.arguments.emplace_back("more");
  cell.recorder[1] = "--platform=q";
  cell.platform = "q";
  EXPECT_EQ(of_recording(), before);
  write("app", "other");
  EXPECT_NE(of_recording(), before);
}

TEST_F(FingerprintTest, of_a_recording_depends_on_the_unit_in_which_the_platform_counts_work) {
  cell.recorder.erase(cell.recorder.begin() + 3); // the speed of this machine's cores is measured
  const std::string text = io::read_text_file(HYPERMILE_SOURCE_DIR "/platforms/table-3.1.yaml");
  write("bundled/p.yaml", text);
  const std::string before = of_recording();
  write("bundled/p.yaml", text + "# with the same unit\n");
  EXPECT_EQ(of_recording(), before);
  std::string other = text;
  other.replace(other.find("3009.3f"), 7, "2000.0f");
  write("bundled/p.yaml", other);
  EXPECT_NE(of_recording(), before);
}

TEST_F(FingerprintTest, of_a_recording_that_is_given_is_none) {
  cell.recorder.clear();
  EXPECT_EQ(of_recording(), "");
}

} // namespace
} // namespace hypermile::sweep
