#pragma once

#include "backend/powercap/counter.hpp"
#include "backend/powercap/zones.hpp"
#include "control/backend.hpp"
#include "control/ports.hpp"

#include <string>
#include <vector>

namespace hypermile::backend::powercap {

/// Joules of the processors and their memory, and of the whole platform where the machine counts
/// that: what a node of a cluster draws but for its power supply, fans, disks and network.
///
/// All packages must be readable: half a node is no node. Memory that cannot be read is left out,
/// and said to be. Two figures are kept, packages and memory together, and the platform's (`psys`;
/// of several the largest, for only one of them counts and the others stand still or repeat it).
/// The platform contains the rest, so the larger is the better one: boards whose makers did not
/// wire `psys` show less there than the packages alone, or nothing at all. Both only ever grow, and
/// so does the larger.
///
/// One thread calls this. It must be called at least every few seconds, as a counter that turns
/// over twice unseen cannot be told from one that did so once.
class PowercapMeter final : public control::Meter {
public:
  /// Starts counting. `sysfs`: where the sysfs is, "/sys". Never throws for want of a counter: see
  /// why_not().
  explicit PowercapMeter(const std::string& sysfs);

  /// Since the meter was made. None as soon as one of the counters could not be read, and from then
  /// on: a figure without it would be too small.
  [[nodiscard]] std::optional<Joules> consumed() const override;

  /// What the figure of the last call consists of: "2 packages, 2 DRAM", "platform (psys)". Empty
  /// where nothing can be measured.
  [[nodiscard]] std::string measures() const;
  /// Why nothing can be measured (any more), and what to do; empty if something is.
  [[nodiscard]] std::string why_not() const override { return why_not_; }
  /// Of all packages. None where the platform is what is measured, or a package's is not known.
  [[nodiscard]] std::optional<Watts> limit() const override;

private:
  struct Watched {
    Zone zone;
    Counter counter;
  };

  void watch(const std::vector<Zone>& zones);

  std::string parts_; ///< what there is but for the platform
  std::optional<Watts> limit_;
  // Reading a counter says nothing new of the machine, but it has to be remembered.
  mutable std::vector<Watched> watched_;
  mutable bool platform_is_larger_ = false;
  mutable std::string why_not_;
};

control::Finding probe(const control::Access& access);
control::OpenMeter open(const control::Access& access);

/// Why these zones do not tell what the node draws; empty if they do.
std::string why_not(const std::vector<Zone>& zones, const std::string& sysfs);

/// "2 packages, 2 DRAM" of the zones that can be read, without the platform.
std::string summary(const std::vector<Zone>& zones);

} // namespace hypermile::backend::powercap
