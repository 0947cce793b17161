#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace hypermile::test {

namespace fs = std::filesystem;
using nlohmann::json;

std::string smpi_program(const std::string& name) {
  return HYPERMILE_BINARY_DIR "/tests/programs/smpi/" + name;
}

std::string smpi_app(const std::string& name) { return HYPERMILE_BINARY_DIR "/apps/smpi/" + name; }

std::vector<std::string> processes_with(const std::string& text) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string id = entry.path().filename();
    if (!std::ranges::all_of(id, [](unsigned char c) { return std::isdigit(c) != 0; }))
      continue;
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    std::ostringstream read; // which, unlike an iterator, takes it calmly if the process ends
    read << file.rdbuf();
    const std::string line = read.str();
    if (line.find(text) != std::string::npos)
      found.push_back(line);
  }
  return found;
}

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
