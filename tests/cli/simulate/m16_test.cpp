// `hypermile reproduce m16`: the tables of [M16], by models that are fitted to them.

#include "simulate/simulated.hpp"
#include "support/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;

/// Tables III and IV, by the errors that docs/reproduction.md tells.
void expect_made_closely(const json& tables) {
  ASSERT_EQ(tables.size(), 2U);
  for (const json& row : tables[0]["rows"])
    EXPECT_LT(std::abs(row["error_percent"].get<double>()), row["ranks"] <= 216 ? 4 : 11) << row;
  for (const json& row : tables[1]["rows"])
    EXPECT_LT(std::abs(row["error_percent"].get<double>()), 3) << row;
}

#ifdef HYPERMILE_SLOW_TESTS
TEST(m16, is_made_again_as_closely_as_promised) {
  const auto result = test::run_hypermile({"reproduce", "m16", "--quiet", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  test::expect_as_its_schema_says(result.out);
  const json made = json::parse(result.out);
  expect_made_closely(made["tables"]);
  EXPECT_EQ(made["tables"][0]["rows"].size(), 7U);
  EXPECT_EQ(made["tables"][1]["rows"].size(), 11U);
  // 24 of the 32 nodes, each drawing 32 W less.
  EXPECT_NEAR(made["tables"][0]["rows"][0]["less_with_48_w_idle_percent"].get<double>(), 29.4, 0.1);
}
#else
namespace fs = std::filesystem;

/// The rows of a table that are about at most so many ranks.
void copy_rows(const fs::path& from, const fs::path& to, int most_ranks) {
  std::ifstream in(from);
  std::ofstream out(to);
  std::string line;
  for (bool is_header = true; std::getline(in, line); is_header = false)
    if (is_header || std::atoi(line.c_str()) <= most_ranks)
      out << line << "\n";
}

/// The command as if it were installed in a folder, with the tables of [M16] up to so many ranks.
class SmallerTables {
public:
  SmallerTables(int most_of_table_3, int most_of_table_4) {
    const fs::path prefix = folder_.path();
    const fs::path command = HYPERMILE_COMMAND; // BUILD/bin/hypermile
    const fs::path build = command.parent_path().parent_path();
    fs::create_directories(prefix / "bin");
    fs::copy_file(command, prefix / "bin/hypermile"); // a link would not be where it is run
    for (const auto& entry : fs::directory_iterator(build))
      if (entry.is_directory() && (entry.path().filename().string().starts_with("lib")))
        fs::create_directory_symlink(entry.path(), prefix / entry.path().filename());
    const fs::path data = prefix / "share/hypermile";
    fs::create_directories(data);
    for (const auto& entry : fs::directory_iterator(build / "share/hypermile"))
      if (entry.path().filename() != "reproduction")
        fs::create_symlink(entry.path(), data / entry.path().filename());
    const fs::path published = HYPERMILE_SOURCE_DIR "/reproduction/m16";
    fs::create_directories(data / "reproduction/m16");
    for (const auto& entry : fs::directory_iterator(published)) {
      const std::string name = entry.path().filename();
      const fs::path to = data / "reproduction/m16" / name;
      if (entry.path().extension() == ".csv")
        copy_rows(entry, to, name.starts_with("table-3") ? most_of_table_3 : most_of_table_4);
      else
        fs::copy_file(entry, to);
    }
  }
  [[nodiscard]] test::CommandResult run(const std::string& arguments) const {
    return test::RunningCommand::shell("exec \"$INSTALLED\" " + arguments,
                                       {{"INSTALLED", folder_.path("bin/hypermile")}})
        .wait();
  }

private:
  test::TemporaryFolder folder_;
};

TEST(m16, is_made_again_as_closely_as_promised_up_to_64_ranks) {
  const SmallerTables tables(216, 64);
  const auto result = tables.run("reproduce m16 --quiet --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  test::expect_as_its_schema_says(result.out);
  const json made = json::parse(result.out);
  expect_made_closely(made["tables"]);
  EXPECT_EQ(made["tables"][0]["rows"].size(), 5U);
  EXPECT_EQ(made["tables"][1]["rows"].size(), 7U);
  // 24 of the 32 nodes, each drawing 32 W less.
  EXPECT_NEAR(made["tables"][0]["rows"][0]["less_with_48_w_idle_percent"].get<double>(), 29.4, 0.1);
}
#endif

} // namespace
} // namespace hypermile
