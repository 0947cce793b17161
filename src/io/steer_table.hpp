#pragma once

#include "steer/table.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hypermile::io {

/// Core voltages as a file has them, in volts: by active cores of a socket and frequency in kHz.
using Voltages = std::map<std::pair<std::size_t, std::size_t>, double>;

/// Whether a text begins like a table of voltages (and not of measurements).
bool is_voltage_table(std::string_view text);

/// Reads CSV with columns cores (active in one socket, from 0 on), frequency_khz and voltage_v.
/// Throws Error{config} with file and line for what is not understood.
Voltages parse_voltages(std::string_view text, const std::string& file);

/// What a table of measurements does not say of its machine.
struct TableMachine {
  std::optional<Voltages> voltages{};   ///< they tell the cores of a socket, too
  std::optional<std::size_t> sockets{}; ///< none: as the voltages tell, else see assumed_sockets()
};

/// Where nobody says: two where there are at least 8 cores, and an even number; else one.
std::size_t assumed_sockets(std::size_t cores);

/// Reads CSV with a row per configuration: columns cores, frequency_khz, throughput (items per
/// second), power_w and perhaps placement (linear or interleaved). The machine has as many cores as
/// the largest number in it; where only voltages tell of sockets, these are whole. Configurations
/// that have no row cannot be chosen. Throws Error{config}
/// with file and line for what is not understood: NaN, a figure that is not positive, a
/// configuration given twice, cores that do not divide into sockets, a frequency without voltage.
steer::Table parse_steer_table(std::string_view text, const std::string& file,
                               const TableMachine& machine);

/// How many configurations of the machine have no row, of those placements that have any.
std::size_t missing_rows(const steer::Table& table);

} // namespace hypermile::io
