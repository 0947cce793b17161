#include "study/prediction_errors.hpp"

#include <gtest/gtest.h>

namespace hypermile::study {
namespace {

Prediction prediction(double time, double energy) {
  return {.time = Seconds{time}, .energy = Joules{energy}};
}

Run run_of(double time, double energy, std::optional<Prediction> cluster,
           std::optional<Prediction> dependency) {
  return {.method = "gears:1",
          .time = Seconds{time},
          .energy = Joules{energy},
          .gears = {1},
          .by_cluster = cluster,
          .by_dependency = dependency};
}

const Run unscaled = run_of(10, 100, std::nullopt, std::nullopt);

TEST(prediction_errors, are_fractions_of_what_was_simulated) {
  const auto models =
      prediction_errors({unscaled, run_of(20, 200, prediction(21, 180), prediction(20, 200)),
                         run_of(40, 400, prediction(30, 400), prediction(40, 404))});
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0].model, "cluster");
  EXPECT_NEAR(models[0].largest_time, 0.25, 1e-12); // too short counts as too long does
  EXPECT_NEAR(models[0].mean_time, 0.15, 1e-12);
  EXPECT_NEAR(models[0].largest_energy, 0.1, 1e-12);
  EXPECT_NEAR(models[0].mean_energy, 0.05, 1e-12);
  EXPECT_EQ(models[1].model, "dependency");
  EXPECT_EQ(models[1].largest_time, 0);
  EXPECT_NEAR(models[1].largest_energy, 0.01, 1e-12);
}

TEST(prediction_errors, leave_out_a_model_that_does_not_predict_all_runs) {
  const auto models =
      prediction_errors({unscaled, run_of(20, 200, prediction(20, 200), prediction(20, 200)),
                         run_of(40, 400, prediction(40, 400), std::nullopt)});
  ASSERT_EQ(models.size(), 1U);
  EXPECT_EQ(models[0].model, "cluster");
  EXPECT_TRUE(prediction_errors({unscaled}).empty());
}

TEST(prediction_errors, over_all_programs_are_the_largest_and_the_mean_of_means) {
  const PredictionErrors one{.model = "cluster",
                             .largest_time = 0.1,
                             .mean_time = 0.05,
                             .largest_energy = 0.4,
                             .mean_energy = 0.2};
  const PredictionErrors other{.model = "cluster",
                               .largest_time = 0.3,
                               .mean_time = 0.15,
                               .largest_energy = 0.2,
                               .mean_energy = 0.1};
  const PredictionErrors lonely{.model = "dependency"};
  const auto all = over_all({{one, lonely}, {other}});
  ASSERT_EQ(all.size(), 1U); // the dependency model does not predict both programs
  EXPECT_DOUBLE_EQ(all[0].largest_time, 0.3);
  EXPECT_DOUBLE_EQ(all[0].mean_time, 0.1);
  EXPECT_DOUBLE_EQ(all[0].largest_energy, 0.4);
  EXPECT_DOUBLE_EQ(all[0].mean_energy, 0.15);
  EXPECT_TRUE(over_all({}).empty());
}

} // namespace
} // namespace hypermile::study
