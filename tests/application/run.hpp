#pragma once

#include "application/application_model.hpp"
#include "application/schedule.hpp"

#include <map>
#include <string>

namespace hypermile::test {

/// What the model prints.
inline std::vector<std::string> printed(const std::string& text, std::size_t ranks) {
  std::vector<std::string> lines;
  static_cast<void>(application::run_model(
      text, "model.lua",
      {.ranks = ranks, .print = [&](const std::string& line) { lines.push_back(line); }}));
  return lines;
}

inline application::ModelRun run(const std::string& text, std::size_t ranks,
                                 std::map<std::string, double> set = {}) {
  return application::run_model(text, "model.lua", {.ranks = ranks, .set = std::move(set)});
}

/// Cores do one unit of work per second, a message takes a second and one more per 1000 bytes.
inline application::Machine slow_machine(std::size_t ranks) {
  return {.speeds = std::vector<Speed>(ranks, Speed{1}),
          .transfer =
              [](std::uint32_t, std::uint32_t, std::uint64_t bytes) {
                return Seconds{1 + static_cast<double>(bytes) / 1000};
              },
          .latency = Seconds{1},
          .bandwidth = Bandwidth{1000},
          .protocol = {}};
}

/// The run on that machine.
inline application::ModelRun timed(const std::string& text, std::size_t ranks,
                                   std::map<std::string, double> set = {}) {
  application::ModelRun made = run(text, ranks, std::move(set));
  application::schedule(made, slow_machine(ranks));
  return made;
}

inline double end(const application::ModelRun& run, std::size_t rank) {
  return model::end(run.timeline.ranks.at(rank)).value();
}

} // namespace hypermile::test
