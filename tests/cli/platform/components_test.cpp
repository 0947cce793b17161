// hypermile platform components.

#include "support/command_line.hpp"

#include "io/components.hpp"
#include "io/text_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::run_hypermile;

const std::vector<std::string> names =
    io::names_in(io::component_folder(HYPERMILE_SOURCE_DIR "/platforms"), ".yaml");

TEST(components_command, lists_every_bundled_component) {
  const auto result = run_hypermile({"platform", "components"});
  EXPECT_EQ(result.exit_code, 0);
  for (const std::string& name : names)
    EXPECT_NE(result.out.find("\n  " + name + " "), std::string::npos) << name;
}

TEST(components_command, marks_figures_that_are_in_no_source) {
  const auto result = run_hypermile({"platform", "components", "m16-xeon"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("  power.static    15W\n                  (estimate) "),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("  power.dynamic   40W\n                  [M16] "), std::string::npos)
      << result.out;
}

TEST(components_command, prints_lines_that_fit_a_terminal) {
  for (const std::string& name : names) {
    std::istringstream lines(run_hypermile({"platform", "components", name}).out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(components_command, prints_json) {
  const json all = json::parse(run_hypermile({"platform", "components", "--json"}).out);
  EXPECT_EQ(all.at("schema"), "hypermile/components/1");
  ASSERT_EQ(all.at("components").size(), names.size());
  const json one =
      json::parse(run_hypermile({"platform", "components", "ethernet-1g", "--json"}).out);
  ASSERT_EQ(one.at("components").size(), 1U);
  EXPECT_EQ(one["components"][0], (json{{"name", "ethernet-1g"},
                                        {"kind", "network"},
                                        {"description", "1 Gbit/s Ethernet"},
                                        {"figures",
                                         {{{"name", "bandwidth"},
                                           {"value", "1Gbps"},
                                           {"evidence", "source"},
                                           {"origin", "[F16] Table 2.1"}},
                                          {{"name", "latency"},
                                           {"value", "50us"},
                                           {"evidence", "source"},
                                           {"origin", "[F16] Table 2.1"}}}}}));
}

TEST(components_command, refuses_what_it_does_not_know) {
  const auto unknown = run_hypermile({"platform", "components", "nothing"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_TRUE(unknown.err.starts_with("hypermile: error: there is no component 'nothing'; try: "))
      << unknown.err;
  const auto option = run_hypermile({"platform", "components", "--bogus"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_EQ(option.err, "hypermile: error: unknown option --bogus\n"
                        "try: hypermile platform components --help\n");
  const auto nothing = run_hypermile({"platform"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_TRUE(nothing.err.starts_with("hypermile: error: no command is given\n")) << nothing.err;
}

TEST(components_command, has_a_help_that_fits_a_terminal) {
  for (const auto& words : {std::vector<std::string>{"platform", "--help"},
                            std::vector<std::string>{"platform", "show", "--help"},
                            std::vector<std::string>{"platform", "components", "--help"}}) {
    const auto result = run_hypermile(words);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.out.find("\nExit code:"), std::string::npos);
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80U) << line;
  }
}

} // namespace
} // namespace hypermile
