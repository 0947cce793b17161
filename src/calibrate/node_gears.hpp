#pragma once

#include "machine/open.hpp"
#include "model/gear.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::calibrate {

/// The gears of this node, and the right to set them where it can be had. Restores them at its end.
class NodeGears {
public:
  /// `backend`: by what they are set. `root`: before /proc; empty on a machine.
  /// Throws Error{unsupported} where somebody else sets the gears of the node: then it is busy; and
  /// where power limits or uncore frequencies were asked for and cannot be set.
  NodeGears(const std::string& backend, control::Access access, const std::string& root);
  ~NodeGears();
  NodeGears(const NodeGears&) = delete;
  NodeGears& operator=(const NodeGears&) = delete;

  /// How many gears can be set, or are known.
  [[nodiscard]] std::size_t count() const;
  /// "2.4 GHz", "100 W".
  [[nodiscard]] std::string name(model::Gear gear) const;
  /// Of each processor, by gear; empty: gears are frequencies.
  [[nodiscard]] std::vector<Watts> power_limits() const;
  /// Likewise; empty: gears leave the uncore frequency alone.
  [[nodiscard]] std::vector<Hertz> uncore() const;
  /// Of one gear where Linux sets no frequencies, or where gears are something else: the frequency
  /// of /proc/cpuinfo.
  [[nodiscard]] const model::GearTable& table() const { return *table_; }
  /// False: the machine does not tell; the only gear is then 1 GHz.
  [[nodiscard]] bool frequencies_known() const { return frequencies_known_; }
  /// Null where gears cannot be set; see why_not().
  [[nodiscard]] control::Actuator* actuator() { return gears_.actuator.get(); }
  [[nodiscard]] std::string why_not() const;
  /// The gear nearest to what the fastest CPU runs at. To be asked while all of them compute.
  [[nodiscard]] model::Gear present() const;
  /// What the fastest CPU runs at now; none: the machine does not tell.
  [[nodiscard]] std::optional<Hertz> present_frequency() const;
  /// Sets everything as it was. Returns what could not be.
  std::vector<std::string> restore() noexcept;

private:
  control::Access access_;
  std::string root_;
  machine::Gears gears_;
  std::optional<model::GearTable> table_;
  bool frequencies_known_ = true;
};

} // namespace hypermile::calibrate
