#pragma once

#include "control/lease.hpp"
#include "control/owner.hpp"
#include "control/place.hpp"
#include "control/ports.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a backend (it sets gears) or a meter (it measures energy) has in common with all others.
/// Each is a folder of src/backend with two functions, probe and open, and a row of the table in
/// machine/registry.cpp.
namespace hypermile::control {

/// One gear of a node. A gear is a setting with a name; gear 0 is the fastest.
struct GearSetting {
  std::string name;                   ///< "2.4 GHz"
  std::optional<Hertz> frequency{};   ///< of the cores; none: the gear is another setting
  std::optional<Watts> power_limit{}; ///< of each processor; none: the gear is another setting
  std::optional<Hertz> uncore{};      ///< most beside the cores; none: the gear leaves it alone
};

GearSetting gear_at(Hertz frequency, std::optional<Hertz> uncore = std::nullopt);
GearSetting gear_below(Watts power_limit);
/// Of all gears; empty: there is none, or one that is not known by its power limit.
std::vector<Watts> power_limits_of(const std::vector<GearSetting>& gears);
/// Likewise.
std::vector<Hertz> uncore_of(const std::vector<GearSetting>& gears);
/// Of all gears; empty: there is none, or one that is not known by its frequency.
std::vector<Hertz> frequencies_of(const std::vector<GearSetting>& gears);

/// Why frequencies cannot be set for gears that are power limits; empty: the gears are none.
std::string why_no_frequencies(const std::vector<GearSetting>& gears);

/// What a backend or a meter is told.
struct Access {
  Place place;
  std::vector<int> cpus{};          ///< whose gears matter; empty: all of the node
  std::string guard{};              ///< hypermile-guard, an absolute path; empty: not installed
  Owner owner{};                    ///< what others are told who want to set the node's gears
  std::vector<GearSetting> gears{}; ///< that the platform gives the node; empty: nobody does
  std::string argument{};           ///< of a meter: FILE of "wattmeter:FILE"
  std::map<std::string, std::string, std::less<>> options{}; ///< values by BackendOption::name
};

/// An option of a backend.
struct BackendOption {
  std::string_view name;  ///< "set-command": --set-command on a command line, HYPERMILE_SET_COMMAND
  std::string_view value; ///< what --help calls its value
  std::string_view help;
  std::string (*check)(const std::string& value); ///< what is wrong with it; empty: nothing
};

/// A part of a device: an energy counter, a frequency domain.
struct Part {
  std::string name;
  std::string what;    ///< its kind or state; may be empty
  std::string path;    ///< of its files
  std::string why_not; ///< why it cannot be used; empty: it can
};

/// Files that the user may not use, although the machine has them.
struct ClosedFiles {
  std::string pattern; ///< as tmpfiles.d has them
  std::string mode;    ///< that lets a group use them, e.g. "0664"
};

/// What a backend or a meter could do here. To find out changes nothing and throws nothing.
struct Finding {
  std::string what{};    ///< what there is: "acpi-cpufreq; 6 gears, 2.6 to 1.2 GHz"; may be empty
  std::string why_not{}; ///< why it cannot be used; empty: it can
  std::string advice{};  ///< what to do about it; may be empty
  bool absent = false;   ///< the machine shows nothing of the kind
  std::vector<GearSetting> gears{}; ///< fastest first, also where they cannot be set
  std::vector<Part> parts{};
  std::vector<ClosedFiles> closed{};
  std::vector<ClosedFiles> closed_options{}; ///< only needed where a user asks for more than gears
  std::string kernel_module{};               ///< that may be missing; empty: none
};

/// Gears that can be set.
struct OpenGears {
  std::vector<GearSetting> gears{};
  std::unique_ptr<Lease> lease{};       ///< null: nothing has to be restored
  std::unique_ptr<Actuator> actuator{}; ///< null: see `why_not`; uses the lease
  std::vector<std::string> remarks{};   ///< what else a user should know of them
  std::vector<Hertz> uncore{};          ///< by gear, where some is limited; empty: none is
  std::string why_not{};
  std::string advice{};
};

/// A meter that can be read while a program runs.
struct OpenMeter {
  std::unique_ptr<Meter> meter{}; ///< null: see `why_not`
  std::string measures{};         ///< "2 packages, 2 DRAM"
  std::string why_not{};          ///< with what to do about it
};

} // namespace hypermile::control
