// hypermile platform show.

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"

#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <tuple>

namespace hypermile {
namespace {

using nlohmann::json;
using test::run_hypermile;
using test::RunningCommand;

const std::string platforms = HYPERMILE_SOURCE_DIR "/platforms";

std::string show(std::vector<std::string> words) {
  words.insert(words.begin(), {"platform", "show"});
  const auto result = run_hypermile(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(show_command, prints_parts_and_power_of_each_type) {
  const std::string text = show({"galera-plus"});
  for (const char* const part :
       {"node: 32 nodes\n", "  2x m16-xeon, galera-plus-chassis\n", "160 W computing, 80 W waiting",
        "network: infiniband-qdr\n", "32 Gbit/s, 0.65 us\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(show_command, shows_power_limits_and_gears_of_no_use) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("limited.yaml");
  std::ofstream(file) << R"(schema: hypermile/platform/1
name: limited
description: gears are power limits
types:
  - name: node
    count: 1
    speed: 1Gf
    gears: [2.0GHz, 1.9GHz, 1.0GHz]
    power_limits: [150W, 100W, 80W]
    power: {computing: [200W, 90W, 95W], waiting: [80W, 80W, 80W], idle: 60W}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";
  const std::string text = show({file});
  EXPECT_NE(text.find("3 gears, 150 to 80 W per processor"), std::string::npos) << text;
  EXPECT_NE(text.find("of no use  gear 2: gear 1 is no slower and draws no more"),
            std::string::npos)
      << text;
  const json figures = json::parse(show({file, "--json"}));
  const json gear = figures["types"][0]["gears"][1];
  EXPECT_TRUE(gear["frequency_ghz"].is_null());
  EXPECT_EQ(gear["power_limit_w"], 100);
  EXPECT_NEAR(gear["scale"].get<double>(), 2 / 1.9, 1e-12);
  EXPECT_EQ(io::parse_platform(show({file, "--format", "yaml"}), "again"), io::load_platform(file));
}

TEST(show_command, writes_out_the_platform_that_is_simulated) {
  for (const std::string& name : io::bundled_platforms(platforms)) {
    auto platform = io::load_platform(io::find_platform(name, platforms));
    for (auto& group : platform.groups)
      group.type.parts.clear();
    platform.network.component.clear();
    if (platform.network.switches)
      platform.network.switches->component.clear();
    EXPECT_EQ(io::parse_platform(show({name, "--format", "yaml"}), name), platform);
  }
}

TEST(show_command, shows_what_swaps_make_of_a_platform) {
  const json before = json::parse(show({"galera-plus", "--json"}));
  const json after = json::parse(show({"galera-plus", "--format", "json", "--swap", "cpu=epyc-9654",
                                       "--swap", "infiniband-qdr=infiniband-ndr"}));
  EXPECT_EQ(before.at("schema"), "hypermile/platform-figures/1");
  EXPECT_EQ(before.at("types").at(0).at("cores"), 12);
  EXPECT_EQ(after["types"][0]["cores"], 2 * 96);
  EXPECT_EQ(after["types"][0]["parts"], json::parse(R"([{"count": 2, "component": "epyc-9654"},
                            {"count": 1, "component": "galera-plus-chassis"}])"));
  EXPECT_EQ(after["name"],
            "galera-plus with epyc-9654 for cpu and infiniband-ndr for infiniband-qdr");
  EXPECT_EQ(after["network"]["component"], "infiniband-ndr");
  EXPECT_DOUBLE_EQ(after["network"]["link"]["bandwidth_bytes_per_s"], 50e9);
  EXPECT_TRUE(after["network"]["backbone"].is_null());
}

TEST(show_command, draws_types_and_switches) {
  const std::string dot = show({"table-3.11-two-sites-16", "--format", "dot"});
  EXPECT_EQ(count_of("\"type ", dot), 6U); // three types, each once more for its link
  EXPECT_EQ(count_of("\"type griffon\" -- \"switch nancy\"", dot), 1U);
  EXPECT_EQ(count_of("\"switch lyon\" -- \"switch nancy\"", dot), 1U);
  EXPECT_EQ(count_of(" -- ", dot), 4U);
}

/// Graphviz, as far as the command sees it.
struct ShowSvg : testing::Test {
  [[nodiscard]] test::CommandResult svg() const {
    return RunningCommand({"platform", "show", "table-3.1", "--format", "svg"}, "",
                          {{"PATH", folder.path()}})
        .wait();
  }
  void write_dot(const std::string& script) const {
    io::write_text_file(folder.path("dot"), "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder.path("dot"), std::filesystem::perms::owner_all);
  }
  test::TemporaryFolder folder;
};

TEST_F(ShowSvg, is_what_graphviz_makes_of_the_graph) {
  write_dot("test \"$1 $2\" = '-Tsvg -o' && /bin/cp \"$4\" \"$3\"\n");
  const auto result = svg();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, show({"table-3.1", "--format", "dot"}));
}

TEST_F(ShowSvg, without_graphviz_says_what_to_install) {
  const auto result = svg();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("apt-get install graphviz"), std::string::npos) << result.err;
}

TEST_F(ShowSvg, says_why_graphviz_failed) {
  write_dot("echo no fonts >&2\nexit 3\n");
  const auto result = svg();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("no fonts"), std::string::npos) << result.err;
}

TEST(show_command, refuses_what_it_cannot_show) {
  for (const auto& [words, exit_code, message] :
       {std::tuple{std::vector<std::string>{"nothing"}, 1, "there is no platform 'nothing'"},
        {{"galera-plus", "--swap", "cpu"}, 2, "'cpu' is not OLD=NEW"},
        {{"galera-plus", "--swap", "cpu=nothing"}, 1, "there is no component 'nothing'"},
        {{"table-3.1", "--swap", "cpu=epyc-9654"}, 1, "the platform has no component 'cpu'"},
        {{"galera-plus", "--format", "png"}, 2, "png"},
        {{}, 2, "PLATFORM is required"}}) {
    std::vector<std::string> all{"platform", "show"};
    all.insert(all.end(), words.begin(), words.end());
    const auto result = run_hypermile(all);
    EXPECT_EQ(result.exit_code, exit_code) << message;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
}

} // namespace
} // namespace hypermile
