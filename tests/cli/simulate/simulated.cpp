#include "simulate/simulated.hpp"

#include "support/processes.hpp"

#include <gtest/gtest.h>

namespace hypermile::test {

using nlohmann::json;

std::string smpi_program(const std::string& name) {
  return HYPERMILE_BINARY_DIR "/tests/programs/smpi/" + name;
}

std::string smpi_app(const std::string& name) { return HYPERMILE_BINARY_DIR "/apps/smpi/" + name; }

CommandResult simulate(const std::vector<std::string>& arguments) {
  const TemporaryFolder temporary;
  std::vector<std::string> all{"simulate"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  auto result = RunningCommand(all, "", {{"TMPDIR", temporary.path()}}).wait();
  EXPECT_TRUE(temporary.empty());
  EXPECT_TRUE(processes_with(temporary.path()).empty());
  return result;
}

json simulate_json(std::vector<std::string> options, const std::vector<std::string>& program) {
  options.insert(options.end(), {"--json", "--"});
  options.insert(options.end(), program.begin(), program.end());
  const auto result = simulate(options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

std::vector<std::string> on_table_3_1(int ranks, const std::vector<std::string>& more) {
  std::vector<std::string> options{"--quiet", "--platform",          "table-3.1",
                                   "-n",      std::to_string(ranks), "--reference-speed",
                                   "300Gf"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

const json& run_of(const json& simulation, const std::string& method) {
  for (const json& run : simulation.at("runs"))
    if (run.at("method") == method)
      return run;
  throw std::runtime_error("no run of method " + method);
}

} // namespace hypermile::test
