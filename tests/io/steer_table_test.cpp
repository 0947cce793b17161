#include "io/steer_table.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

using model::Placement;

const std::string header = "cores,frequency_khz,throughput,power_w\n";
const std::string good = header + "1,2000000,10,20\n1,1000000,6,15\n2,2000000,19,30\n"
                                  "2,1000000,11,22\n";

template <class Call> std::string complaint(const Call& call) {
  try {
    (void)call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config) << error.what();
    return error.what();
  }
  return "no error";
}
std::string complaint_of(const std::string& text, const TableMachine& machine = {}) {
  return complaint([&] { return parse_steer_table(text, "dir/app.csv", machine); });
}
std::string complaint_of_voltages(const std::string& text) {
  return complaint([&] { return parse_voltages(text, "volts.csv"); });
}

void expect_begins(const std::string& text, const std::string& begin) {
  EXPECT_EQ(text.substr(0, begin.size()), begin) << text;
}

TEST(steer_table, reads_every_configuration_and_what_it_does) {
  const steer::Table table = parse_steer_table(good, "dir/app.csv", {});
  EXPECT_EQ(table.name, "app");
  EXPECT_EQ(table.space.node.sockets, 1U);
  EXPECT_EQ(table.space.node.cores_per_socket, 2U);
  ASSERT_EQ(table.space.node.gears.size(), 2U);
  EXPECT_EQ(table.space.node.gears.frequency(0), Hertz{2e9});
  EXPECT_FALSE(table.space.node.voltage);
  ASSERT_EQ(table.space.size(), 4U);
  EXPECT_EQ(table.space[1], (steer::Configuration{1, 1, Placement::linear}));
  EXPECT_EQ(table.performance[1].capacity, Rate{6});
  EXPECT_EQ(table.performance[1].power, Watts{15});
  EXPECT_EQ(missing_rows(table), 0U);
}

TEST(steer_table, columns_may_be_in_any_order_and_lines_end_as_on_windows) {
  const std::string text = "power_w,placement,throughput,frequency_khz,cores\r\n"
                           "20,linear,10,2000000,1\r\n22,interleaved,18,2000000,2\r\n";
  const steer::Table table = parse_steer_table(text, "app.csv", {.sockets = 2});
  ASSERT_EQ(table.space.size(), 2U);
  EXPECT_EQ(table.space[1], (steer::Configuration{2, 0, Placement::interleaved}));
  EXPECT_EQ(table.performance[1].power, Watts{22});
  EXPECT_EQ(table.performance[1].capacity, Rate{18});
}

TEST(steer_table, needs_every_column_and_knows_no_others) {
  const std::string advice = "; try: a first line such as 'cores,frequency_khz,throughput,power_w'";
  EXPECT_EQ(complaint_of(""), "dir/app.csv:1: the file is empty" + advice);
  EXPECT_EQ(complaint_of("cores,frequency_khz,throughput\n1,1,1\n"),
            "dir/app.csv:1: there is no column power_w" + advice);
  EXPECT_EQ(complaint_of("cores,frequency_khz,throughput,power_w,joules\n"),
            "dir/app.csv:1: 'joules' is not a column" + advice);
}

TEST(steer_table, needs_a_measurement) {
  EXPECT_EQ(complaint_of(header), "dir/app.csv:1: there is no measurement");
}

TEST(steer_table, says_in_which_line_a_number_is_none) {
  const auto line = [](const std::string& row) { return complaint_of(good + row + "\n"); };
  expect_begins(line("4,2000000,nan,20"), "dir/app.csv:6: 'nan' is not a throughput in items per "
                                          "second");
  expect_begins(line("4,2000000,10,inf"), "dir/app.csv:6: 'inf' is not a power in watts");
  expect_begins(line("4,2000000,10,"), "dir/app.csv:6: '' is not a power in watts");
  expect_begins(line("4,2000000,10,20W"), "dir/app.csv:6: '20W' is not a power in watts");
  expect_begins(line("four,2000000,10,20"), "dir/app.csv:6: 'four' is not a number of cores");
  expect_begins(line("-4,2000000,10,20"), "dir/app.csv:6: '-4' is not a number of cores");
  expect_begins(line("4,2e6,10,20"), "dir/app.csv:6: '2e6' is not a frequency in kHz");
  expect_begins(line("4,2000000,10"), "dir/app.csv:6: 3 fields instead of 4");
  expect_begins(line("4,2000000,10,20,30"), "dir/app.csv:6: 5 fields instead of 4");
}

TEST(steer_table, refuses_figures_that_nothing_has) {
  const auto line = [](const std::string& row) { return complaint_of(header + row + "\n"); };
  for (const std::string figure : {"0", "-3", "1e-15", "1.1e15"}) {
    expect_begins(line("1,2000000," + figure + ",20"), "dir/app.csv:2: the throughput of ");
    expect_begins(line("1,2000000,10," + figure), "dir/app.csv:2: the power_w of ");
  }
  expect_begins(line("1,2000000,1e-400,20"), "dir/app.csv:2: '1e-400' is not a throughput");
  EXPECT_EQ(line("0,2000000,10,20"), "dir/app.csv:2: 0 cores are not between 1 and 4096");
  EXPECT_EQ(line("4097,2000000,10,20"), "dir/app.csv:2: 4097 cores are not between 1 and 4096");
  EXPECT_EQ(line("1,0,10,20"),
            "dir/app.csv:2: the frequency of 0 kHz is not between 1 and 100000000");
  expect_begins(line("1,100000001,10,20"), "dir/app.csv:2: the frequency of 100000001 kHz");
}

TEST(steer_table, refuses_placements_that_are_none) {
  EXPECT_EQ(complaint_of("cores,frequency_khz,throughput,power_w,placement\n1,1,1,1,compact\n"),
            "dir/app.csv:2: 'compact' is not a placement; try: linear or interleaved");
}

TEST(steer_table, refuses_a_configuration_that_is_there_twice) {
  EXPECT_EQ(complaint_of(good + "1,1000000,7,15\n"),
            "dir/app.csv:6: this configuration was there before; try: one row per configuration");
  const std::string both = "cores,frequency_khz,throughput,power_w,placement\n"
                           "2,1000,1,1,linear\n2,1000,1,1,interleaved\n4,1000,1,1,linear\n";
  EXPECT_EQ(parse_steer_table(both, "app.csv", {.sockets = 2}).space.size(), 3U);
}

TEST(steer_table, cores_must_divide_into_sockets) {
  EXPECT_EQ(complaint_of(good, {.sockets = 3}),
            "dir/app.csv: 2 cores are not 3 equal sockets; try: --sockets N");
  EXPECT_EQ(parse_steer_table(good, "app.csv", {.sockets = 2}).space.node.cores_per_socket, 1U);
}

TEST(steer_table, assumes_two_sockets_where_there_are_many_cores) {
  EXPECT_EQ(assumed_sockets(1), 1U);
  EXPECT_EQ(assumed_sockets(6), 1U);
  EXPECT_EQ(assumed_sockets(8), 2U);
  EXPECT_EQ(assumed_sockets(9), 1U);
  EXPECT_EQ(assumed_sockets(24), 2U);
}

TEST(steer_table, counts_the_configurations_that_have_no_row) {
  const auto missing = [](const std::string& text) {
    return missing_rows(parse_steer_table(text, "app.csv", {.sockets = 1}));
  };
  EXPECT_EQ(missing(header + "4,2000000,10,20\n2,1000000,3,4\n"), 6U);
  EXPECT_EQ(missing(header + "1,2000000,10,20\n"), 0U);
}

TEST(steer_table, counts_missing_rows_of_placements_that_have_any) {
  const std::string text = "cores,frequency_khz,throughput,power_w,placement\n"
                           "1,1000,1,1,linear\n2,1000,1,1,linear\n3,1000,1,1,linear\n"
                           "4,1000,1,1,linear\n5,1000,1,1,linear\n6,1000,1,1,linear\n";
  const auto missing = [](const std::string& rows) {
    return missing_rows(parse_steer_table(rows, "app.csv", {.sockets = 2}));
  };
  EXPECT_EQ(missing(text), 0U);
  EXPECT_EQ(missing(text + "2,1000,1,1,interleaved\n"), 2U); // 3 and 4; 5 is as linear
}

constexpr const char* volts = "cores,frequency_khz,voltage_v\n"
                              "0,2000000,0.9\n0,1000000,0.8\n"
                              "1,2000000,1.0\n1,1000000,0.85\n";

TEST(steer_table, takes_voltages_and_sockets_from_a_table_of_voltages) {
  const steer::Table table =
      parse_steer_table(good, "app.csv", {.voltages = parse_voltages(volts, "volts.csv")});
  EXPECT_EQ(table.space.node.sockets, 2U);
  ASSERT_TRUE(table.space.node.voltage);
  EXPECT_EQ(*table.space.node.voltage, (steer::VoltageTable{{0.9, 0.8}, {1.0, 0.85}}));
}

TEST(steer_table, needs_a_voltage_for_every_frequency_and_number_of_cores) {
  const auto voltages = parse_voltages(volts, "volts.csv");
  EXPECT_EQ(complaint_of(good + "1,1500000,8,17\n", {.voltages = voltages}),
            "dir/app.csv: the table of voltages has none for 0 active cores of a socket at 1500000 "
            "kHz; try: a table of voltages of the same machine");
  expect_begins(complaint_of(good, {.voltages = voltages, .sockets = 1}),
                "dir/app.csv: the table of voltages has none for 2 active cores of a socket at "
                "2000000 kHz");
}

TEST(steer_table, of_a_part_of_the_cores_has_the_whole_sockets_of_its_voltages) {
  const auto voltages = parse_voltages(
      "cores,frequency_khz,voltage_v\n0,1000000,1\n1,1000000,1\n2,1000000,1\n", "volts.csv");
  const steer::Table table = parse_steer_table(header + "1,1000000,1,1\n3,1000000,2,2\n", "app.csv",
                                               {.voltages = voltages});
  EXPECT_EQ(table.space.node.sockets, 2U);
  EXPECT_EQ(table.space.node.cores_per_socket, 2U);
  EXPECT_EQ(missing_rows(table), 2U);
}

TEST(voltages, are_told_from_measurements_by_their_first_line) {
  EXPECT_TRUE(is_voltage_table(volts));
  EXPECT_TRUE(is_voltage_table("voltage_v,cores,frequency_khz"));
  EXPECT_FALSE(is_voltage_table(good));
  EXPECT_FALSE(is_voltage_table(header + "voltage_v\n"));
  EXPECT_FALSE(is_voltage_table(""));
}

TEST(voltages, are_read_by_active_cores_and_frequency) {
  const Voltages voltages = parse_voltages(volts, "volts.csv");
  EXPECT_EQ(voltages.size(), 4U);
  EXPECT_EQ(voltages.at({1, 1000000}), 0.85);
}

TEST(voltages, say_in_which_line_something_is_wrong) {
  const std::string text(volts);
  const auto line = [&](const std::string& row) {
    return complaint_of_voltages(text + row + "\n");
  };
  EXPECT_EQ(line("1,2000000,1.1"), "volts.csv:6: these cores and this frequency were there before");
  expect_begins(line("2,2000000,nan"), "volts.csv:6: 'nan' is not a voltage in volts");
  expect_begins(line("2,2000000,0"), "volts.csv:6: the voltage_v of 0 is not between");
  expect_begins(line("2,2000000,-1"), "volts.csv:6: the voltage_v of -1 is not between");
  expect_begins(line("4097,2000000,1"), "volts.csv:6: 4097 cores are not between 0 and 4096");
  expect_begins(line("2,0,1"), "volts.csv:6: the frequency of 0 kHz");
  expect_begins(line("2,2000000"), "volts.csv:6: 2 fields instead of 3");
  expect_begins(complaint_of_voltages("cores,frequency_khz,voltage_v\n"),
                "volts.csv:1: there is no voltage");
  expect_begins(complaint_of_voltages("cores,voltage_v\n"),
                "volts.csv:1: there is no column frequency_khz");
}

TEST(voltages, of_idle_sockets_only_say_nothing_of_sockets) {
  const Voltages idle = parse_voltages("cores,frequency_khz,voltage_v\n0,2000000,1\n", "volts.csv");
  expect_begins(complaint_of(good, {.voltages = idle}),
                "dir/app.csv: the table of voltages has none for");
}

} // namespace
} // namespace hypermile::io
