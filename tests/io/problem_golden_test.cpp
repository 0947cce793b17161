// The predictions of every model against tests/golden: fixed gear vectors, and the baseline.

#include "io/problem_json.hpp"
#include "io/text_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace hypermile {
namespace {

using nlohmann::json;

void expect_prediction(const model::Prediction& prediction, const json& wanted) {
  const auto close = [](double value, const json& w) {
    EXPECT_NEAR(value, w.get<double>(), 1e-9 * std::max(1e-3, std::abs(w.get<double>())));
  };
  close(prediction.time.value(), wanted["T_new"]);
  close(prediction.energy.value(), wanted["E"]);
  close(prediction.p_norm, wanted["P_norm"]);
  close(prediction.e_norm, wanted["E_norm"]);
  EXPECT_NEAR(prediction.distance, wanted["distance"].get<double>(), 1e-9);
}

TEST(golden_predictions, every_model_reproduces_every_evaluation) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(HYPERMILE_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() != ".json")
      continue;
    SCOPED_TRACE(entry.path().filename());
    ++files;
    const std::string text = io::read_text_file(entry.path().string());
    const json file = json::parse(text);
    const model::Problem problem = io::parse_problem(text, entry.path().string());
    if (file["model"] == "homogeneous") {
      const auto rauber = with_energy_model(problem, model::ModelKind::rauber);
      for (const json& wanted : file["evaluations"]) {
        const std::vector<model::Gear> gears{wanted["gear"].get<std::size_t>()};
        expect_prediction(predict(problem, gears), wanted["new_2_13"]);
        expect_prediction(predict(rauber, gears), wanted["rauber_1_19"]);
      }
      continue;
    }
    for (const json& wanted : file["evaluations"])
      expect_prediction(predict(problem, wanted["gears"].get<std::vector<model::Gear>>()), wanted);
    const auto baseline = problem.baseline();
    EXPECT_NEAR(baseline.time.value(), file["context"]["T_old"].get<double>(), 1e-12);
    EXPECT_NEAR(baseline.energy.value(), file["context"]["E_original"].get<double>(),
                1e-9 * baseline.energy.value());
  }
  EXPECT_EQ(files, 25);
}

} // namespace
} // namespace hypermile
