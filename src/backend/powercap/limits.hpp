#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::backend::powercap {

/// How much a processor may draw on average over some time: the constraint "long_term" of its zone.
/// The processor lowers its frequency by itself where it would draw more.
struct PowerLimit {
  std::string name;             ///< of the processor: "package-0"
  std::string folder;           ///< of its zone
  std::string file;             ///< of the limit: "constraint_0_power_limit_uw"
  Watts present{};              ///< as it is now
  bool enabled = true;          ///< false: the limit does not hold now
  std::optional<Watts> most{};  ///< what the processor is made for; none: it does not say
  std::optional<Watts> least{}; ///< the lowest limit that it takes; none: it does not say
  Seconds window{};             ///< over which it is an average
};

/// The limits of this node, of the processors that were asked for.
struct LimitInspection {
  std::vector<PowerLimit> limits{}; ///< one per processor
  std::string obstacle{};           ///< why they cannot be set; empty: they can
  std::string advice{};             ///< what to do about it; may be empty
  bool absent = false;              ///< the machine shows no zones
  bool closed = false;              ///< this user may not write them
};

/// `sysfs`: "/sys", or a folder like it. `cpus`: those that matter; empty: all. Never throws for
/// what a machine lacks: then there is an obstacle. Call it after Lease::acquire(), which restores
/// what a killed run left.
LimitInspection inspect_limits(const std::string& sysfs, const std::vector<int>& cpus);

/// What a processor may draw now: the present limit where it holds, else what it is made for. None:
/// that is not known.
std::optional<Watts> allowed_now(const PowerLimit& limit);

/// The files by which it is set: whether it holds only where it does not.
std::vector<std::string> files_to_write(const PowerLimit& limit);

// The files of a zone. Both throw control::FileError, and Error{hardware} for what is no number.

Watts read_watts(const PowerLimit& limit, const std::string& file);
bool read_enabled(const PowerLimit& limit);

/// As sysfs has power: in microwatts.
std::string in_microwatts(Watts power);

} // namespace hypermile::backend::powercap
