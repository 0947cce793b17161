// `run --baseline` runs a job twice, in one environment.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <tuple>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using Variables = std::map<std::string, std::string>;

constexpr const char* env_list = "OMPI_MCA_mca_base_env_list";

/// As `env -0` prints them.
Variables read_variables(const std::string& file) {
  std::ifstream stream(file);
  EXPECT_TRUE(stream) << file;
  Variables variables;
  for (std::string entry; std::getline(stream, entry, '\0');)
    variables[entry.substr(0, entry.find('='))] = entry.substr(entry.find('=') + 1);
  return variables;
}

/// What both runs must have in common: not hypermile's two settings that tell the runs apart, nor
/// what an MPI numbers anew for each job.
Variables common(Variables variables) {
  variables.erase("HYPERMILE_METHOD");
  variables.erase("HYPERMILE_RESULT");
  std::erase_if(variables, [](const auto& entry) {
    const std::string& name = entry.first;
    const bool of_mpi = name.starts_with("OMPI_") || name.starts_with("PMIX_") ||
                        name.starts_with("ORTE_") || name.starts_with("PMI_");
    return of_mpi && name != env_list;
  });
  return variables;
}

/// The MPI, what the user preloads, and what the user has Open MPI hand on; empty: not set.
using Case = std::tuple<std::string, std::string, std::string>;

class Baseline : public testing::TestWithParam<Case> {
protected:
  /// A program that keeps its environment as the first or second file of that name, and then
  /// becomes another one.
  [[nodiscard]] std::string keeps(const std::string& name, const std::string& next) const {
    const std::string file = folder_.path(name);
    return "f=" + file + ".first; [ -e $f ] && f=" + file + ".second; env -0 > $f" + next;
  }
  /// A launcher that hypermile takes for that MPI's.
  [[nodiscard]] std::vector<std::string> launcher(const std::string& mpi) const {
    if (mpi == "none")
      return {};
    const std::string script = folder_.path(mpi == "openmpi" ? "orterun" : "mpiexec.hydra");
    std::ofstream(script) << "#!/bin/sh\n"
                          << keeps("launcher", "; exec mpirun." + mpi + " \"$@\"") << '\n';
    fs::permissions(script, fs::perms::owner_all);
    return {script, "-n", "1"};
  }
  [[nodiscard]] CommandResult run() const {
    const auto& [mpi, preload, list] = GetParam();
    std::vector<std::string> words{"run", "--baseline", "--quiet", "--backend", "none", "--"};
    for (const std::string& word : launcher(mpi))
      words.push_back(word);
    for (const std::string& word : {std::string("sh"), std::string("-c"), keeps("rank", "")})
      words.push_back(word);
    auto environment = job_environment(folder_.path());
    environment["MINE"] = "a b\nc";
    if (!preload.empty())
      environment["LD_PRELOAD"] = preload;
    if (!list.empty())
      environment[env_list] = list;
    return RunningCommand(words, "", environment).wait();
  }
  [[nodiscard]] Variables variables(const std::string& name) const {
    return read_variables(folder_.path(name));
  }

private:
  TemporaryFolder folder_;
};

TEST_P(Baseline, runs_have_the_same_environment) {
  const auto result = run();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto& [mpi, preload, list] = GetParam();
  std::vector<std::string> programs{"rank"};
  if (mpi != "none")
    programs.emplace_back("launcher");
  for (const std::string& program : programs) {
    const Variables first = variables(program + ".first");
    const Variables second = variables(program + ".second");
    EXPECT_EQ(common(first), common(second)) << program;
    EXPECT_EQ(first.at("HYPERMILE_METHOD"), "none");
    EXPECT_EQ(second.at("HYPERMILE_METHOD"), "exact");
    EXPECT_EQ(second.at("MINE"), "a b\nc");
    EXPECT_TRUE(second.at("LD_PRELOAD")
                    .ends_with("libhypermile-preload.so" + (preload.empty() ? "" : ":" + preload)))
        << second.at("LD_PRELOAD");
    const auto handed_on = second.find(env_list);
    EXPECT_TRUE(list.empty() || handed_on->second.starts_with(list));
  }
}

std::string name_of(const testing::TestParamInfo<Case>& given) {
  const auto& [mpi, preload, list] = given.param;
  return mpi + (preload.empty() ? "" : "_preloads") + (list.empty() ? "" : "_hands_on");
}

INSTANTIATE_TEST_SUITE_P(mpi, Baseline,
                         testing::Combine(testing::Values("none", HYPERMILE_TEST_FLAVOURS),
                                          testing::Values("", "libm.so.6"),
                                          testing::Values("", "MINE")),
                         name_of);

} // namespace
} // namespace hypermile::test
