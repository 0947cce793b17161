// hypermile slurm: what --hypermile=SETTINGS means, without a Slurm.

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace hypermile {
namespace {

using test::expect_part;
using test::RunningCommand;
using Variables = std::map<std::string, std::string>;

test::CommandResult answer(std::vector<std::string> words, const Variables& environment = {}) {
  words.insert(words.begin(), "slurm");
  return RunningCommand(words, "", environment).wait();
}

Variables variables(const std::vector<std::string>& words, const Variables& environment = {}) {
  const auto result = answer(words, environment);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  Variables found;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    found[line.substr(0, line.find('='))] = line.substr(line.find('=') + 1);
  return found;
}

std::string refused(const std::vector<std::string>& words) {
  auto checked = words;
  checked.insert(checked.begin(), "--check");
  const auto result = answer(checked);
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(result.out, "");
  return result.err;
}

TEST(slurm_settings, without_any_bound_the_slowdown_as_run_does) {
  for (const char* const nothing : {"", "on", "maxdist"}) {
    auto found = variables({nothing});
    EXPECT_EQ(found["HYPERMILE_MAX_SLOWDOWN"], "0.05");
    EXPECT_EQ(found["HYPERMILE_METHOD"], "exact");
    EXPECT_EQ(found["HYPERMILE_OBJECTIVE"], "maxdist");
    EXPECT_EQ(found["HYPERMILE_SHOW"], "verdict");
    EXPECT_TRUE(found["HYPERMILE_STEP_REPORT"].ends_with("/hypermile-%j.%s"));
    EXPECT_TRUE(found["LD_PRELOAD"].ends_with("/libhypermile-preload.so"));
  }
}

TEST(slurm_settings, are_objectives_methods_and_options_of_run) {
  auto found = variables({"energy,max-slowdown=3%,dry-run,backend=emulated,platform=table-3.1"});
  EXPECT_EQ(found["HYPERMILE_OBJECTIVE"], "energy");
  EXPECT_EQ(found["HYPERMILE_MAX_SLOWDOWN"], "0.03");
  EXPECT_EQ(found["HYPERMILE_DRY_RUN"], "on");
  EXPECT_TRUE(found["HYPERMILE_PLATFORM"].ends_with("/platforms/table-3.1.yaml"));
  EXPECT_EQ(variables({"gears=0,3,5"})["HYPERMILE_GEARS"], "0,3,5");
  EXPECT_EQ(variables({"none"})["HYPERMILE_METHOD"], "none");
}

TEST(slurm_settings, override_variables_and_these_override_the_site) {
  const std::vector<std::string> site{"--site", "max-slowdown=1%", "--site", "report=none"};
  const auto with = [&](const std::string& settings, const Variables& environment) {
    auto words = site;
    words.push_back(settings);
    return variables(words, environment);
  };
  EXPECT_EQ(with("", {})["HYPERMILE_MAX_SLOWDOWN"], "0.01");
  EXPECT_EQ(with("", {})["HYPERMILE_STEP_REPORT"], "none");
  const Variables user{{"HYPERMILE_MAX_SLOWDOWN", "2%"}};
  EXPECT_EQ(with("", user)["HYPERMILE_MAX_SLOWDOWN"], "0.02");
  EXPECT_EQ(with("max-slowdown=3%", user)["HYPERMILE_MAX_SLOWDOWN"], "0.03");
}

TEST(slurm_settings, of_a_script_reach_its_steps_unless_these_change_them) {
  const Variables script = variables({"edp,dry-run,report=/out/%s,show=nothing"});
  EXPECT_EQ(variables({"edp,dry-run,report=/out/%s,show=nothing"}, script), script);
  auto changed = variables({"dry-run=off"}, script);
  EXPECT_EQ(changed["HYPERMILE_OBJECTIVE"], "edp");
  EXPECT_EQ(changed.at("HYPERMILE_DRY_RUN"), "") << "it has to go";
  EXPECT_EQ(changed["HYPERMILE_STEP_REPORT"], "/out/%s");
}

TEST(slurm_settings, switched_off_take_away_what_a_script_has_set) {
  Variables script = variables({"dry-run"});
  const std::string other = "libm.so.6"; // one that can be loaded
  script["LD_PRELOAD"] += ":" + other;
  const auto found = variables({"off"}, script);
  EXPECT_EQ(found.at("LD_PRELOAD"), other);
  EXPECT_EQ(found.at("HYPERMILE_DRY_RUN"), "");
  EXPECT_EQ(found.at("HYPERMILE_STEP_REPORT"), "");
}

TEST(slurm_settings, that_are_not_understood_are_refused_with_advice) {
  for (const auto& [settings, complaint] :
       Variables{{"maxdisk", "there is no setting 'maxdisk'; try: maxdist"},
                 {"max-slowdown", "max-slowdown has no value; try: max-slowdown=RATIO"},
                 {"max-slowdown=x", "--hypermile: max-slowdown: "},
                 {"baseline", "baseline is an option of the command 'hypermile run' only"},
                 {"help", "help is an option of the command"},
                 {"show=all", "'all' is none of verdict, report, nothing"},
                 {"report=", "report has no value"},
                 {"report=%q", "'%q' has a % that means nothing"},
                 {"off,exact", "off goes with no other setting"},
                 {"dry-run=perhaps", "'perhaps' is neither on nor off"},
                 {",", "there is no setting ''"},
                 {"platform=nowhere", "there is no platform 'nowhere'"},
                 {"backend=emulated", "needs to know what to emulate"},
                 {"gears=0,exact", "--hypermile: method excludes --gears"}})
    expect_part(refused({settings}), complaint);
  expect_part(refused({"--site", "mpi=x"}), "plugstack.conf: there is no setting 'mpi' of a site");
}

TEST(slurm_settings, that_this_node_cannot_use_only_measure) {
  const auto result = answer({"platform=/of/another/node.yaml,edp"});
  EXPECT_EQ(result.exit_code, 0);
  expect_part(result.err, "hypermile: error: ");
  expect_part(result.out, "HYPERMILE_METHOD=none\n");
  expect_part(result.out, "/libhypermile-preload.so\n");
}

TEST(slurm_settings, of_the_file_of_jobs_are_the_sites) {
  const Variables user{{"HYPERMILE_JOBS", "/of/user"}};
  EXPECT_EQ(variables({"--site", "jobs=/of/site/%u"}, user)["HYPERMILE_JOBS"], "/of/site/%u");
  EXPECT_EQ(variables({}, user)["HYPERMILE_JOBS"], "/of/user");
}

TEST(slurm_usage, says_what_settings_there_are) {
  const auto result = answer({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  expect_part(result.out, "\nusage: hypermile slurm [OPTIONS] [SETTINGS]\n");
}

} // namespace
} // namespace hypermile
