// libFuzzer: whatever bytes claim to be a model of a program are refused with an Error, or give
// every rank a role and a timeline that can be kept.

#include "application/application_model.hpp"
#include "application/schedule.hpp"
#include "fuzz/expect.hpp"
#include "units/error.hpp"

#include <cstdint>
#include <string>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t ranks = 3;
  try {
    application::ModelRun run = application::run_model(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz",
        {.ranks = ranks,
         .limits = {.memory = 2U << 20U, .instructions = 20'000, .events = 2'000},
         .print = {}});
    EXPECT_THAT(run.roles.size() == ranks && run.timeline.ranks.size() == ranks);
    for (const application::ExtrapolatedSteps& steps : run.extrapolated)
      EXPECT_THAT(steps.simulated < steps.count && steps.compared() > 0 && steps.loops > 0);
    application::schedule(
        run, {.speeds = std::vector<Speed>(ranks, Speed{1e9}),
              .transfer = [](std::uint32_t, std::uint32_t, std::uint64_t) { return Seconds{1e-6}; },
              .latency = Seconds{1e-6},
              .bandwidth = Bandwidth{1e9},
              .protocol = {}});
    for (const model::RankTimeline& rank : run.timeline.ranks) {
      EXPECT_THAT(model::end(rank) >= Seconds{});
      EXPECT_THAT(rank.events.empty() || rank.events.back().ends_call == 1);
    }
  } catch (const Error& error) {
    EXPECT_THAT(error.kind() == ErrorKind::config);
  }
  return 0;
}
