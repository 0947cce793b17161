#pragma once

#include "machine/registry.hpp"

#include "control/backend.hpp"
#include "model/platform.hpp"
#include "units/error.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::machine {

/// The gears of this node, as far as they were asked for and can be set.
struct Gears {
  const Backend* backend = nullptr;            ///< what sets them; null: nothing does
  std::optional<model::GearTable> table;       ///< as the backend has them; none: not known
  std::vector<control::GearSetting> settings;  ///< those of an actuator; its frequencies, or others
  std::vector<Hertz> uncore;                   ///< by gear; empty: gears leave it alone
  std::vector<std::string> remarks;            ///< what else a user should know of them
  std::unique_ptr<control::Lease> lease;       ///< outlives the actuator
  std::unique_ptr<control::Actuator> actuator; ///< null: no gear is set
  std::optional<Error> problem;                ///< why not, although it was asked for
  bool in_use = false;                         ///< since somebody else sets the gears of the node
};

/// What a backend could do here. One that cannot know the gears itself is told those that Linux
/// lists, unless a platform gives others.
control::Finding probe(const Backend& backend, const control::Access& access);

/// What is known of them, without setting any.
Gears look_at_gears(const std::string& backend, const control::Access& access);
/// By the backend of this name; "auto": that of the platform's gears, else the first that can.
/// Where it cannot, there is a `problem`.
Gears open_gears(const std::string& backend, const control::Access& access);

/// A meter of this node, to be read while a program runs.
struct OpenedMeter {
  std::string name{};                      ///< empty: nothing is measured now
  std::string measures{};                  ///< "2 packages, 2 DRAM"
  std::unique_ptr<control::Meter> meter{}; ///< never null
  std::optional<Error> problem{};          ///< why nothing is, although it was asked for
  bool not_permitted = false;              ///< this user may not read it
};

/// A meter that is read afterwards is not opened, and is no problem.
OpenedMeter open_meter(const std::string& spec, const control::Access& access);

/// As a backend takes them: power limits where the type has some, else frequencies.
std::vector<control::GearSetting> settings_of(const model::NodeType& type);

} // namespace hypermile::machine
