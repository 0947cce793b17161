#include "session/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::session {
namespace {

steer::Space space_of(std::size_t sockets, std::vector<Hertz> frequencies) {
  return steer::all_configurations({.sockets = sockets,
                                    .cores_per_socket = 2,
                                    .gears = model::GearTable(std::move(frequencies))});
}

const steer::Space one_socket = space_of(1, {Hertz{2.4e9}, Hertz{1.2e9}});
const steer::Space two_sockets = space_of(2, {Hertz{2.4e9}, Hertz{1.2e9}});
const steer::Space no_gears = space_of(1, {Hertz{1}});

std::size_t index(const steer::Space& space, const steer::Configuration& one) {
  return space.find(one).value();
}

Row row_of(const steer::Space& space) {
  Row row{.time = Seconds{12.5}, .length = Seconds{1}, .mode = steer::Mode::steady};
  row.phase = 1;
  row.configuration = index(space, {.cores = 2, .gear = space.node.gears.size() - 1});
  row.next = index(space, {.cores = 1, .gear = 0});
  row.throughput = Rate{100};
  row.arrivals = Rate{101.5};
  row.capacity = Rate{200};
  row.load = 0.5;
  row.power = Watts{42.25};
  row.decision = "101.5 items/s are asked for now: a, \"b\"";
  return row;
}

std::ptrdiff_t fields(const std::string& line) { return std::ranges::count(line, ',') + 1; }

TEST(csv, has_a_field_for_each_column_in_each_line) {
  for (const steer::Space* space : {&one_socket, &two_sockets, &no_gears}) {
    Row row = row_of(*space);
    for (const bool sparse : {false, true}) {
      if (sparse) {
        row.arrivals.reset();
        row.capacity.reset();
        row.decision.clear();
      }
      const std::string line = csv_line(row, *space);
      EXPECT_EQ(fields(line), fields(csv_header())) << line;
      EXPECT_EQ(std::ranges::count(line, '\n'), 1);
      EXPECT_EQ(line.back(), '\n');
    }
  }
}

TEST(csv, has_the_figures_of_a_sample) {
  EXPECT_EQ(csv_header(),
            "time_s,length_s,mode,phase,cores,frequency_ghz,setting,placement,throughput_per_s,"
            "arrivals_per_s,capacity_per_s,load,power_w,keeps_bounds,next_cores,"
            "next_frequency_ghz,next_setting,next_placement,decision\n");
  EXPECT_EQ(csv_line(row_of(one_socket), one_socket),
            "12.500,1.000,steady,1,2,1.2000,,linear,100,101.5,200,0.5000,42.250,1,1,2.4000,,linear,"
            "101.5 items/s are asked for now: a; 'b'\n");
}

TEST(csv, leaves_open_what_is_not_known) {
  Row row = row_of(no_gears);
  row.arrivals.reset();
  row.capacity.reset();
  row.decision.clear();
  row.keeps_bounds = false;
  EXPECT_EQ(csv_line(row, no_gears),
            "12.500,1.000,steady,1,2,,,linear,100,,,0.5000,42.250,0,1,,,linear,\n");
}

TEST(csv, names_placements) {
  Row row = row_of(two_sockets);
  row.next =
      index(two_sockets, {.cores = 2, .gear = 0, .placement = model::Placement::interleaved});
  EXPECT_NE(csv_line(row, two_sockets).find(",2,2.4000,,interleaved,"), std::string::npos);
}

TEST(configuration, is_described_by_what_can_be_chosen) {
  const steer::Configuration one{.cores = 1, .gear = 0};
  EXPECT_EQ(describe(one, no_gears), "1 core");
  EXPECT_EQ(describe(one, one_socket), "1 core, 2.40 GHz");
  EXPECT_EQ(describe({.cores = 2, .gear = 1}, two_sockets), "2 cores, 1.20 GHz, linear");
}

TEST(configuration, is_described_by_the_setting_where_that_is_no_frequency) {
  steer::Space limited = one_socket;
  limited.node.frequencies_known = false;
  limited.node.settings = {"90 W", "70 W"};
  EXPECT_EQ(describe({.cores = 2, .gear = 1}, limited), "2 cores, 70 W");
  const std::string line = csv_line(row_of(limited), limited);
  EXPECT_NE(line.find(",1,2,,70 W,linear,"), std::string::npos) << line;
  EXPECT_NE(line.find(",1,1,,90 W,linear,"), std::string::npos) << line;
}

TEST(text_line, says_what_was_measured_and_decided) {
  EXPECT_EQ(text_line(row_of(one_socket), one_socket),
            "   12.5 s steady      2 cores, 1.20 GHz       100/s load  50%   42.2 W\n"
            "          -> 1 core, 2.40 GHz: 101.5 items/s are asked for now: a, \"b\"");
}

TEST(text_line, says_that_a_bound_was_missed_and_nothing_of_no_decision) {
  Row row = row_of(one_socket);
  row.keeps_bounds = false;
  row.decision.clear();
  row.mode = steer::Mode::calibrating;
  EXPECT_EQ(text_line(row, one_socket),
            "   12.5 s calibrating 2 cores, 1.20 GHz       100/s load  50%   42.2 W  missed");
}

} // namespace
} // namespace hypermile::session
