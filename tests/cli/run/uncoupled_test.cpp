// Programs whose clusters do not wait for each other, in jobs of real MPIs.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace hypermile::test {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

/// Two nodes at a site each.
void write_platform(const std::string& file) {
  std::ofstream(file) << "schema: hypermile/platform/1\n"
                         "name: two-sites\n"
                         "description: two nodes\n"
                         "types:\n"
                         "  - {name: slow, site: here, count: 1, speed: 40Gf, gears: {max: 2GHz, "
                         "min: 1GHz, step: 0.2GHz}, power: {dynamic: 40W, static: 8W}}\n"
                         "  - {name: fast, site: there, count: 1, speed: 60Gf, gears: {max: 3GHz, "
                         "min: 1GHz, step: 0.2GHz}, power: {dynamic: 60W, static: 12W}}\n"
                         "network:\n"
                         "  link: {bandwidth: 1Gbps, latency: 50us}\n"
                         "  between_sites: {bandwidth: 1Gbps, latency: 500us}\n";
}

class Uncoupled : public testing::TestWithParam<std::string> {};

/// The program's exit code says that it has converged to its tolerance, and verified that.
TEST_P(Uncoupled, clusters_converge_in_gears_and_the_saving_is_told) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("tmp"));
  write_platform(folder.path("platform.yaml"));
  for (const char* const apply : {"sync", "async"}) {
    const std::string report = folder.path(std::string(apply) + ".json");
    Words words{"run",
                "--json",
                "-o",
                report,
                "--backend",
                "emulated",
                "--platform",
                folder.path("platform.yaml"),
                "--time-model",
                "hybrid",
                "--apply",
                apply,
                "--"};
    for (const std::string& word :
         mpirun(GetParam(), 2,
                {HYPERMILE_BINARY_DIR "/apps/" + GetParam() + "/multisplitting", "--grid", "24",
                 "--restart", "3", "--tolerance", "1e-6", "--outer", "async"}))
      words.push_back(word);
    const auto result = RunningCommand(words, "", job_environment(folder.path("tmp"))).wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("verification: successful"), std::string::npos) << result.out;
    const json run = json::parse(std::ifstream(report), nullptr, false);
    ASSERT_TRUE(run.is_object()) << result.err;
    ASSERT_FALSE(run["decisions"].empty()) << run;
    for (const json& decision : run["decisions"])
      EXPECT_EQ(decision["time_model"], "hybrid");
    EXPECT_LT(run["predicted"]["energy_ratio"], 1) << run;
    EXPECT_TRUE(run["whole_run"].is_null()) << "nobody knows how many iterations gear 0 takes";
    EXPECT_TRUE(std::ranges::any_of(run["remarks"], [](const json& remark) {
      return remark.get<std::string>().find("How many iterations") != std::string::npos;
    })) << run["remarks"];
  }
}

INSTANTIATE_TEST_SUITE_P(OfMpi, Uncoupled, testing::ValuesIn(flavours()),
                         [](const auto& of) { return of.param; });

} // namespace
} // namespace hypermile::test
