#pragma once

#include "run/job.hpp"

#include "tune/calibration_json.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// What tests of `hypermile collective` under real MPI libraries share.
namespace hypermile::test {

using Words = std::vector<std::string>;
using nlohmann::json;

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

class Bcast : public testing::TestWithParam<std::string> {
protected:
  Bcast() { std::filesystem::create_directory(folder_.path("tmp")); }

  [[nodiscard]] Words words(Words arguments, const Words& launcher = {}) const {
    arguments.insert(arguments.begin(), "bcast");
    if (!launcher.empty())
      arguments.emplace_back("--");
    arguments.insert(arguments.end(), launcher.begin(), launcher.end());
    return arguments;
  }

  [[nodiscard]] CommandResult hypermile(const Words& arguments, const Words& launcher = {},
                                        std::map<std::string, std::string> environment = {}) const {
    return command(words(arguments, launcher), std::move(environment));
  }

  /// `hypermile collective`.
  [[nodiscard]] CommandResult collective(Words arguments, const Words& launcher = {}) const {
    arguments = words(std::move(arguments), launcher);
    arguments.front() = "collective";
    return command(arguments, {});
  }

  [[nodiscard]] CommandResult command(const Words& words,
                                      std::map<std::string, std::string> environment) const {
    environment.merge(job_environment(folder_.path("tmp")));
    auto result = RunningCommand(words, "", environment).wait();
    expect_nothing_left(folder_.path("tmp"));
    return result;
  }

  /// `hypermile run` of a job.
  [[nodiscard]] CommandResult run(const Words& options, const Words& job,
                                  std::map<std::string, std::string> environment = {}) const {
    Words words{"run", "--backend", "none", "--meter", "none", "--method", "none"};
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), job.begin(), job.end());
    environment.merge(job_environment(folder_.path("tmp")));
    auto result = RunningCommand(words, "", environment).wait();
    expect_nothing_left(folder_.path("tmp"));
    return result;
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  TemporaryFolder folder_;
};

/// A calibration of 3 processes in which `first` is the fastest below 100 kB and `second` above.
inline collective::Calibration rigged_for(collective::Library library, const std::string& first,
                                          const std::string& second, const std::string& name) {
  collective::Calibration calibration{.seed = 1, .passes = 6};
  calibration.conditions.library = library;
  calibration.conditions.collective = name;
  const auto& collective = collective::collective_named(name);
  for (const auto& algorithm : algorithms_of(collective, library))
    for (const std::size_t size_b : {20000U, 40000U, 80000U, 160000U, 320000U, 640000U}) {
      if (!works(collective, algorithm, 3, size_b, 0))
        continue;
      const bool best = algorithm.name == (size_b < 100000 ? first : second);
      auto& cell = cell_of(calibration, 1, 3, {.algorithm = std::string(algorithm.name)}, size_b);
      for (const double pass : {1.0, 1.01, 0.99, 1.02, 0.98, 1.0})
        cell.times.emplace_back(1e-9 * static_cast<double>(size_b) * (best ? 1 : 3) * pass);
    }
  return calibration;
}

} // namespace hypermile::test
