#pragma once

#include "control/lease.hpp"
#include "units/quantity.hpp"

#include <string>
#include <vector>

namespace hypermile::cpufreq {

/// A part of a processor beside its cores (caches, memory controller, mesh) whose frequency Linux
/// limits: by the driver intel_uncore_frequency.
struct UncoreDomain {
  std::string folder; ///< <root>/devices/system/cpu/intel_uncore_frequency/package_00_die_00
  Hertz highest{};    ///< max_freq_khz, as it is now
  Hertz lowest{};     ///< min_freq_khz, as it is now
};

/// The uncore frequencies of this node, all of its processors.
struct UncoreInspection {
  std::vector<UncoreDomain> domains{};
  std::string obstacle{}; ///< why they cannot be set; empty: they can
  std::string advice{};   ///< what to do about it; may be empty
  bool absent = false;    ///< the driver is not there
  bool closed = false;    ///< this user may not write them
};

/// Never throws for what a machine lacks: then there is an obstacle. Call it after
/// Lease::acquire(), which restores what a killed run left.
UncoreInspection inspect_uncore(const std::string& root);

/// The highest uncore frequency that the node may have now. `domains`: at least one.
Hertz highest_uncore(const std::vector<UncoreDomain>& domains);

/// Limits the uncore frequency of all processors. None gets a higher limit than it had before.
class UncoreLimits {
public:
  /// `lease` must outlive this.
  UncoreLimits(std::vector<UncoreDomain> domains, control::Lease& lease);

  /// Reads back what was written. Throws Error{hardware} where a domain does not take it; the
  /// others may have. Nothing is written until a lower limit than the present one is asked for.
  void set(Hertz limit);
  /// As it was when this was made.
  void set_back();
  /// What keeps the last limit from holding, as a user reads it; empty: nothing does.
  [[nodiscard]] std::string verify() const;

private:
  [[nodiscard]] Hertz target(const UncoreDomain& domain) const;
  void apply(const UncoreDomain& domain);

  std::vector<UncoreDomain> domains_;
  control::Lease& lease_;
  Hertz limit_; ///< the highest: as before
  bool touched_ = false;
};

} // namespace hypermile::cpufreq
