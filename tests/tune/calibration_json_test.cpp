#include "tune/calibration_json.hpp"

#include "support/cases.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::tune {
namespace {

using collective::Calibration;
using collective::PowerKind;

Calibration random_calibration(std::mt19937& random) {
  const auto upto = [&](std::size_t most) { return random() % (most + 1); };
  Calibration calibration{.conditions = {.library = collective::Library::openmpi,
                                         .version = "Open MPI v4.1.4 \"quoted\"",
                                         .machine = "a processor, 2 CPUs",
                                         .power = static_cast<PowerKind>(upto(2)),
                                         .power_source = "a meter",
                                         .seconds_per_cell = 0.1 * static_cast<double>(upto(9))},
                          .seed = random(),
                          .passes = 5};
  if (upto(1) == 1)
    calibration.conditions.arrival = collective::parse_arrival("exponential:0.3ms");
  const bool late = calibration.conditions.arrival.kind != collective::Arrival::Kind::together;
  std::uniform_real_distribution<double> any(1e-6, 10);
  for (std::size_t nodes = 1; nodes <= 1 + upto(2); ++nodes)
    for (const char* const name : {"chain", "binomial"})
      for (std::size_t size_b = 1000; size_b < 1000 + 1000 * (1 + upto(3)); size_b += 1000) {
        auto& cell =
            cell_of(calibration, nodes, 2, {.algorithm = name, .segment_b = upto(1) * 64}, size_b);
        cell.times.resize(1 + upto(4), Seconds{any(random)});
        if (late)
          cell.inside.resize(cell.times.size(), Seconds{any(random)});
        if (calibration.conditions.power != PowerKind::none)
          cell.powers.resize(cell.times.size(), Watts{any(random)});
      }
  return calibration;
}

TEST(CalibrationJson, is_read_as_it_was_written) {
  std::mt19937 random(1);
  for (int i = 0; i < test::cases(100); ++i) {
    const Calibration written = random_calibration(random);
    const std::string text = calibration_json(written);
    const Calibration read = parse_calibration(text, "file");
    EXPECT_EQ(read.conditions, written.conditions);
    EXPECT_EQ(calibration_json(read), text);
    ASSERT_EQ(read.measured.size(), written.measured.size());
    for (std::size_t k = 0; k < read.measured.size(); ++k) {
      ASSERT_EQ(read.measured[k].cells.size(), written.measured[k].cells.size());
      for (std::size_t c = 0; c < read.measured[k].cells.size(); ++c) {
        EXPECT_EQ(read.measured[k].cells[c].times, written.measured[k].cells[c].times);
        EXPECT_EQ(read.measured[k].cells[c].inside, written.measured[k].cells[c].inside);
        EXPECT_EQ(read.measured[k].cells[c].powers, written.measured[k].cells[c].powers);
      }
    }
  }
}

TEST(CalibrationJson, half_a_file_is_none) {
  std::mt19937 random(2);
  const std::string text = calibration_json(random_calibration(random));
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    EXPECT_THROW((void)parse_calibration(text.substr(0, length), "file"), Error) << length;
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const auto at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), by);
}

TEST(CalibrationJson, edits_that_make_no_sense_are_refused_with_their_place) {
  Calibration calibration{.passes = 2};
  calibration.conditions.power = PowerKind::measured;
  auto& cell = cell_of(calibration, 1, 4, {.algorithm = "chain", .segment_b = 64}, 1000);
  cell.times = {Seconds{0.5}, Seconds{0.25}};
  cell.powers = {Watts{10}, Watts{20}};
  const std::string text = calibration_json(calibration);
  ASSERT_NO_THROW((void)parse_calibration(text, "file"));
  const std::vector<std::pair<std::string, std::string>> edits{
      {"chain", "chains"},
      {"\"segment_b\":64", "\"segment_b\":-1"},
      {"\"size_b\":1000", "\"size_b\":0"},
      {"[0.5,0.25]", "[0.5,0]"},
      {"[0.5,0.25]", "[0.5,-0.25]"},
      {"[0.5,0.25]", "[0.5,1e-200]"},
      {"[0.5,0.25]", "[0.5]"},
      {"[0.5,0.25]", "[0.5,0.25,0.1]"},
      {"[0.5,0.25]", "[1e400]"},
      {",\"powers_w\":[10.0,20.0]", ""},
      {"\"arrival\": \"together\"", "\"arrival\": \"sometimes\""},
      {"\"arrival\": \"together\"", "\"arrival\": \"uniform:5ms\""},
      {",\"powers_w\"", ",\"inside_s\":[0.5,0.25],\"powers_w\""},
      {"\"collective\": \"bcast\"", "\"collective\": \"barrier\""},
      {"\"collective\": \"bcast\"", "\"collective\": \"allreduce\""},
      {"\"measured\",", "\"sometimes\","},
      {"\"nodes\": 1", "\"nodes\": 0"},
      {"\"passes\": 2", "\"passes\": 1"},
      {"\"passes\": 2", "\"passes\": 2, \"more\": 3"},
      {"openmpi", "lam"},
      {"calibration/1", "calibration/2"},
      {"\"algorithm\":\"chain\",\"segment_b\":64",
       "\"algorithm\":\"basic_linear\",\"segment_b\":64"}};
  for (const auto& [old, by] : edits)
    try {
      (void)parse_calibration(replaced(text, old, by), "cal.json");
      ADD_FAILURE() << old << " as " << by;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("cal.json: ")) << error.what();
    }
}

/// A name that does not fit into a string itself, before what is wrong.
TEST(CalibrationJson, long_names_before_wrong_values_are_refused_as_short_ones) {
  Calibration calibration{.passes = 1};
  cell_of(calibration, 1, 4, {.algorithm = "scatter_allgather_ring"}, 1000).times = {Seconds{0.5}};
  const std::string text = calibration_json(calibration);
  for (const auto& [from, to] : {std::pair{"[0.5]", "[-0.5]"}, {"\"size_b\":1000", "\"size_b\":0"}})
    EXPECT_THROW((void)parse_calibration(replaced(text, from, to), "cal.json"), Error) << to;
}

TEST(CalibrationJson, copies_that_were_measured_have_threads) {
  Calibration calibration{.passes = 1};
  for (const std::size_t threads : {2U, 8U})
    cell_of(calibration, 1, 4, {.algorithm = "copyprivate", .threads = threads}, 1000).times = {
        Seconds{0.5}};
  cell_of(calibration, 1, 4, {.algorithm = "chain"}, 1000).times = {Seconds{0.25}};
  const std::string text = calibration_json(calibration);
  const Calibration read = parse_calibration(text, "cal.json");
  EXPECT_EQ(calibration_json(read), text);
  EXPECT_EQ(read.measured.at(0).cells.at(1).variant.threads, 8U);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"threads\":8", "\"threads\":2"}, // twice the same
           {"\"threads\":8", "\"threads\":1"},
           {",\"threads\":8", ""},
           {"\"algorithm\":\"chain\"", "\"threads\":2,\"algorithm\":\"chain\""},
           {"\"collective\": \"bcast\"", "\"collective\": \"allgather\""},
           {"\"measured\":", "\"copies\": [{\"threads\":2,\"start_s\":0,\"rate_bytes_per_s\":1e9,"
                             "\"node_power_w\":1}], \"measured\":"}})
    EXPECT_THROW((void)parse_calibration(replaced(text, from, to), "cal.json"), Error) << to;
}

/// Files from before there was a choice.
TEST(CalibrationJson, without_an_arrival_processes_came_together) {
  Calibration calibration{.passes = 1};
  cell_of(calibration, 1, 4, {.algorithm = "chain"}, 1000).times = {Seconds{0.5}};
  const std::string text = calibration_json(calibration);
  const std::string old = replaced(text, " \"arrival\": \"together\",\n", "");
  EXPECT_EQ(calibration_json(parse_calibration(old, "file")), text);
}

TEST(CalibrationJson, of_a_simulated_machine_has_copies_and_switches) {
  Calibration calibration{.conditions = {.library = collective::Library::smpi,
                                         .version = "SimGrid 3.32",
                                         .machine = "platform d13",
                                         .power = PowerKind::simulated,
                                         .power_source = "platform d13"},
                          .seed = 1,
                          .passes = 1};
  auto& cell = cell_of(calibration, 4, 1, {.algorithm = "pipeline", .segment_b = 1024}, 2147483647);
  cell.times = {Seconds{1.5}};
  cell.powers = {Watts{400}};
  calibration.copies = {{1, Seconds{1e-6}, Bandwidth{3e9}, Watts{100}},
                        {8, Seconds{1e-6}, Bandwidth{3e9}, Watts{150}}};
  calibration.switch_power = Watts{150};
  const std::string text = calibration_json(calibration);
  const Calibration read = parse_calibration(text, "cal.json");
  EXPECT_EQ(calibration_json(read), text);
  EXPECT_EQ(read.switch_power, Watts{150});
  ASSERT_EQ(read.copies.size(), 2U);
  EXPECT_EQ(read.copies[1].rate, Bandwidth{3e9});
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"threads\": 8", "\"threads\": 1"},
           {"\"rate_bytes_per_s\": 3000000000.0", "\"rate_bytes_per_s\": 0"},
           {"\"power\": \"simulated\"", "\"power\": \"modelled\""},
           {"\"switch_power_w\": 150.0", "\"switch_power_w\": -1"}}) {
    std::string wrong = text;
    ASSERT_NE(wrong.find(from), std::string::npos) << from << text;
    wrong.replace(wrong.find(from), from.size(), to);
    EXPECT_THROW((void)parse_calibration(wrong, "cal.json"), Error) << to;
  }
}

} // namespace
} // namespace hypermile::tune
