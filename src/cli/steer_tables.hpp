#pragma once

#include "io/steer_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What tables of measurements do not say themselves.
struct TableOptions {
  std::string voltage_file; ///< empty: none
  std::optional<std::size_t> sockets;
};

void add_table_options(CLI::App& command, TableOptions& options);

/// Of measurements, as a share of them, at most half. Throws Error{config}.
double read_noise(const std::string& text);

/// Reads tables; a file of voltages among them (its first line tells) is used for the others. Says
/// on stderr what had to be assumed, and where configurations are missing. Throws Error{config} as
/// io::parse_steer_table().
std::vector<steer::Table> load_tables(const std::vector<std::string>& files,
                                      const TableOptions& options);

/// The measurements that come along, with their voltages.
std::vector<std::string> bundled_tables();

} // namespace hypermile::cli
