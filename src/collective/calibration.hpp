#pragma once

#include "collective/registry.hpp"

#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hypermile::collective {

/// An algorithm with a segment size.
struct Variant {
  std::string algorithm{};   ///< name of the registry
  std::size_t segment_b = 0; ///< 0: messages are not cut
  auto operator<=>(const Variant&) const = default;
};

/// "pipeline/128KiB", "binomial".
[[nodiscard]] std::string label(const Variant& variant);
/// "64KiB", "1MiB", "1000B".
[[nodiscard]] std::string size_text(std::size_t size_b);
/// Reads "64KiB", "1MB", "1000B". Throws Error{config}, also for 0 and for more than 1 GiB.
[[nodiscard]] std::size_t parse_size(std::string_view text);

/// What one variant costs at one size.
struct Cell {
  Variant variant{};
  std::size_t size_b = 0;
  std::vector<Seconds> times{}; ///< of one operation, by pass
  /// What all nodes draw meanwhile, by pass; empty: not known.
  std::vector<Watts> powers{};
};

/// What was measured with so many processes.
struct Measured {
  std::size_t nodes = 1;
  std::size_t processes_per_node = 1;
  std::vector<Cell> cells{};
};

/// Where the power of a calibration comes from.
enum class PowerKind { none, measured, modelled };

/// What may not differ between measurements that are to be used together.
struct Conditions {
  std::string collective = "bcast";
  Library library = Library::openmpi;
  std::string version{}; ///< as MPI_Get_library_version() says
  std::string machine{}; ///< cpu model, cores
  PowerKind power = PowerKind::none;
  std::string power_source{}; ///< as a user reads it; empty: none
  double seconds_per_cell = 0;
  bool operator==(const Conditions&) const = default;
};

struct Calibration {
  Conditions conditions{};
  std::uint64_t seed = 0;
  std::size_t passes = 0; ///< that were asked for
  std::vector<Measured> measured{};
};

/// One measurement that is still to be made.
struct Step {
  std::size_t pass;
  Variant variant;
  std::size_t size_b;
};

/// What a calibration still lacks with so many processes: each pass has all cells in an order of
/// its own, which the seed gives. A pass that has been begun is finished first.
[[nodiscard]] std::vector<Step> missing_steps(const Calibration& calibration,
                                              const std::vector<Variant>& variants,
                                              const std::vector<std::size_t>& sizes,
                                              std::size_t nodes, std::size_t processes_per_node);

/// The cell of this variant and size, made where there is none.
[[nodiscard]] Cell& cell_of(Calibration& calibration, std::size_t nodes,
                            std::size_t processes_per_node, const Variant& variant,
                            std::size_t size_b);

} // namespace hypermile::collective
