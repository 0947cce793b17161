// Models of which some steps are run, against the same models that are run to the end.

#include "simulate/extrapolation.hpp"

#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

namespace hypermile::simulate {
namespace {

using Random = std::mt19937;

int draw(Random& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// Something that all ranks do together, and that is the same each time.
std::string action(Random& random) {
  switch (draw(random, 0, 6)) {
  case 0:
    return fmt::format("compute({} * (1 + p.rank % {}))", 1000 * draw(random, 100, 90000),
                       draw(random, 1, 4));
  case 1:
    return fmt::format("allreduce({})", draw(random, 1, 100000));
  case 2:
    return fmt::format("exchange(p.rank ~ 1, {})", draw(random, 1, 200000));
  case 3:
    return fmt::format("sleep({})", 1e-4 * draw(random, 1, 20));
  case 4: // a ring with messages in both sizes
    return fmt::format("local r = irecv((p.rank - 1) % ranks) local s = isend((p.rank + 1) % "
                       "ranks, {}) compute({}) wait(r, s)",
                       draw(random, 1, 200000), 1000 * draw(random, 1, 20000));
  case 5:
    return fmt::format("bcast({}, {})", draw(random, 0, 3), draw(random, 1, 100000));
  default:
    return fmt::format("recv(p.rank > 0 and p.rank - 1 or nobody) compute({}) send(p.rank + 1 < "
                       "ranks and p.rank + 1 or nobody, {})",
                       1000 * draw(random, 100, 30000), draw(random, 1, 50000));
  }
}

std::string actions(Random& random, int most) {
  std::string text;
  for (int i = draw(random, 0, most); i > 0; --i)
    text += fmt::format("  do {} end\n", action(random));
  return text;
}

std::string random_model(std::uint32_t seed) {
  Random random(seed);
  std::string text = "role('all', function(p)\n";
  for (int loops = draw(random, 1, 3); loops > 0; --loops) {
    text += actions(random, 2);
    text += fmt::format("  steps({}, {}, function(i)\n{}  compute(1e5 + 1e4 * p.rank)\n  end)\n",
                        draw(random, 20, 300), draw(random, 18, 24), actions(random, 4));
  }
  return text + actions(random, 2) + "end)\n";
}

class Extrapolation : public testing::Test {
protected:
  [[nodiscard]] Simulation simulated(const std::string& text, bool all, std::size_t ranks = 4) {
    const std::string file = folder_.path("model.lua");
    std::ofstream(file) << text;
    Experiment experiment;
    experiment.platform = "table-3.1";
    experiment.ranks = ranks;
    experiment.model = file;
    experiment.uncontended = true;
    experiment.all_steps = all;
    experiment.gears = {{.gears = model::Gear{3}, .origin = "test"},
                        {.gears = std::vector<model::Gear>{0, 5, 2, 1}, .origin = "test"}};
    Installation installation;
    installation.platform_folder = HYPERMILE_SOURCE_DIR "/platforms";
    return run(experiment, installation,
               {.step = [](const std::string&) {}, .status = [](const std::string&) {}});
  }

private:
  test::TemporaryFolder folder_;
};

TEST_F(Extrapolation, is_the_whole_run_where_steps_are_alike) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const std::string text = random_model(seed);
    const Simulation part = simulated(text, false);
    const Simulation whole = simulated(text, true);
    ASSERT_EQ(part.runs.size(), 3U);
    for (std::size_t r = 0; r < part.runs.size(); ++r) {
      const SimulatedRun& run = part.runs[r];
      EXPECT_FALSE(whole.runs[r].part) << text;
      if (run.part && (std::abs(run.part->unsettled) > 1e-4 || run.part->lagging_rank))
        continue; // and says so
      EXPECT_NEAR(run.time / whole.runs[r].time, 1, 1e-3) << seed << run.method << '\n' << text;
      EXPECT_NEAR(run.energy / whole.runs[r].energy, 1, 1e-3) << seed << run.method << '\n' << text;
    }
  }
}

TEST_F(Extrapolation, is_rarely_in_doubt_where_steps_are_alike) {
  std::size_t unsettled = 0;
  std::size_t lagging = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed)
    for (const SimulatedRun& run : simulated(random_model(seed), false).runs) {
      unsettled += run.part && std::abs(run.part->unsettled) > 1e-3 ? 1U : 0U;
      lagging += run.part && run.part->lagging_rank ? 1U : 0U;
    }
  EXPECT_LE(unsettled, 15U); // of 300: rows of ranks in gears that differ need a while
  EXPECT_LE(lagging, 40U);   // in loops without messages, of which there are some
}

TEST_F(Extrapolation, says_which_rank_will_be_the_slowest_later) {
  // Rank 0 is late before the loop; rank 1 computes for longer in it, and nobody waits for anybody.
  const Simulation part = simulated("role('all', function(p)\n"
                                    "  if p.rank == 0 then compute(4e9) end\n"
                                    "  steps(1000, 9, function() compute(4e6 * p.rank) end)\n"
                                    "end)",
                                    false);
  ASSERT_TRUE(part.runs.front().part);
  EXPECT_EQ(part.runs.front().part->lagging_rank, 3U);
}

TEST_F(Extrapolation, keeps_what_was_simulated_beside_the_whole) {
  const Simulation part = simulated(
      "role('all', function() compute(8e9) steps(1000, 10, function() compute(4e7) end) end)",
      false);
  for (const SimulatedRun& run : part.runs) {
    ASSERT_TRUE(run.part);
    // By the model itself: 8e9 + 1000 * 4e7 of 8e9 + 10 * 4e7 operations.
    EXPECT_NEAR(run.time / run.part->time, 48.0 / 8.4, 1e-6) << run.method;
    EXPECT_LT(run.part->energy, run.energy);
  }
  EXPECT_EQ(part.model->extrapolated.front().count, 1000U);
}

} // namespace
} // namespace hypermile::simulate
