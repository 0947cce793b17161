#pragma once

#include "control/ports.hpp"
#include "model/platform.hpp"
#include "units/quantity.hpp"

#include <memory>
#include <optional>
#include <string>

namespace hypermile::calibrate {

/// A time in which the node did one thing.
struct Window {
  Seconds from; ///< since 1970-01-01 00:00 UTC
  Seconds to;
  std::optional<Joules> counted; ///< by an energy counter, where there is one
};

/// Where power comes from: an energy counter, or the log of a wattmeter.
struct PowerSource {
  std::unique_ptr<control::Meter> counter{}; ///< none: the log
  std::string log{};                         ///< "wattmeter:FILE", see machine::read_log()
  std::string node{};                        ///< whose samples
  std::string measures{};                    ///< for a user: "2 packages, 2 DRAM (powercap)"
};

/// The mean power in a window. From a log it needs samples over nine tenths of the window: throws
/// Error{config} otherwise, saying how much there is; and for a log that cannot be read.
Watts mean_power(const PowerSource& source, const Window& window);

/// Whether the log has come to the end of the window. True where there is a counter.
bool has_come_to(const PowerSource& source, Seconds end);

} // namespace hypermile::calibrate
