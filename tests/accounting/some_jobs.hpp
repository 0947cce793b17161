#pragma once

#include "accounting/job_line.hpp"

#include <random>
#include <string>

namespace hypermile::test {

/// A step of 2 ranks that saved 20 J of 100 J, by meters, for 10 % more time.
inline accounting::JobLine some_job(const std::string& user = "anna") {
  accounting::JobLine job;
  job.step = {.job = 123, .step = "0", .cluster = "one", .user = user};
  job.ended_unix_s = 1763726580.25;
  job.program = "cg";
  job.ranks = 2;
  job.nodes = {"n1", "n2"};
  job.time = Seconds{11};
  job.gear0_time = Seconds{10};
  job.energy = Joules{80};
  job.gear0_energy = Joules{100};
  job.energy_by = accounting::EnergyBy::meters;
  job.gears_set = true;
  job.saving = 0.2;
  job.slowdown = 0.1;
  job.method = "exact";
  job.objective = "maxdist";
  job.max_slowdown = 0.25;
  job.verdict = "Success: saved 20.0 % of the energy.";
  return job;
}

/// Each key with or without a value, texts with what JSON has to escape.
inline accounting::JobLine random_job(std::mt19937& random) {
  const auto coin = [&] { return random() % 2 == 0; };
  const auto number = [&] { return std::uniform_real_distribution<double>(0, 1e6)(random); };
  const auto text = [&] {
    std::string word = "a";
    for (auto length = random() % 8; length > 0; --length)
      word += std::string("\"\\\n\t,={}/xyz")[random() % 12];
    return word;
  };
  const auto maybe = [&](auto value) { return coin() ? std::optional(value) : std::nullopt; };
  accounting::JobLine job;
  if (coin())
    job.step = {.job = random(), .step = coin() ? "batch" : "7", .cluster = coin() ? text() : ""};
  job.step.user = text();
  job.ended_unix_s = number();
  job.program = coin() ? text() : "";
  job.ranks = random() % 1000;
  for (auto nodes = 1 + random() % 3; nodes > 0; --nodes)
    job.nodes.push_back(text());
  job.emulated = coin();
  job.time = Seconds{number()};
  job.gear0_time = maybe(Seconds{number()});
  job.energy = maybe(Joules{number()});
  job.gear0_energy = maybe(Joules{number()});
  job.energy_by = maybe(accounting::EnergyBy::power_tables);
  job.gears_set = coin();
  job.saving = maybe(-0.25);
  job.slowdown = maybe(0.5);
  job.possible_saving = maybe(0.125);
  job.possible_slowdown = maybe(-0.5);
  job.method = text();
  job.objective = text();
  job.max_slowdown = maybe(0.25);
  job.verdict = coin() ? text() : "";
  return job;
}

} // namespace hypermile::test
