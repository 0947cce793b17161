// libFuzzer: whatever bytes claim to be measurements or voltages are refused with an Error, or are
// a table that can be replayed: every figure positive and finite, every configuration one of the
// machine and there once.

#include "fuzz/expect.hpp"
#include "io/steer_table.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

using namespace hypermile;

namespace {

bool is_figure(double value) { return std::isfinite(value) && value > 0; }

void check(const steer::Table& table) {
  const steer::NodeShape& node = table.space.node;
  EXPECT_THAT(table.space.size() > 0);
  EXPECT_THAT(table.performance.size() == table.space.size());
  for (std::size_t index = 0; index < table.space.size(); ++index) {
    const steer::Configuration& one = table.space[index];
    EXPECT_THAT(one.cores > 0 && one.cores <= node.cores());
    EXPECT_THAT(one.gear < node.gears.size());
    EXPECT_THAT(table.space.find(one) == index);
    EXPECT_THAT(is_figure(table.performance[index].capacity.value()));
    EXPECT_THAT(is_figure(table.performance[index].power.value()));
    EXPECT_THAT(is_figure(node.volts(active_cores(node, one, 0), one.gear)));
  }
}

void read_table(std::string_view text, const io::TableMachine& machine) {
  try {
    check(io::parse_steer_table(text, "fuzz", machine));
  } catch (const Error&) {
    // refused, as it may be
  }
}

io::Voltages read_voltages(std::string_view text) {
  try {
    return io::parse_voltages(text, "fuzz");
  } catch (const Error&) {
    return {}; // refused, as it may be
  }
}

} // namespace

/// Measurements; after a line with only "#" may come voltages.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto border = text.find("\n#\n");
  const std::string_view measurements = text.substr(0, border);
  (void)io::is_voltage_table(text);
  read_table(measurements, {});
  read_table(measurements, {.sockets = size % 5});
  if (border == std::string_view::npos)
    return 0;
  const io::Voltages voltages = read_voltages(text.substr(border + 3));
  for (const auto& [key, volts] : voltages)
    EXPECT_THAT(is_figure(volts));
  read_table(measurements, {.voltages = voltages});
  return 0;
}
