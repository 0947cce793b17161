#pragma once

#include "collective/arrival.hpp"
#include "collective/registry.hpp"

#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::collective {

/// An algorithm with a segment size.
struct Variant {
  std::string algorithm{};   ///< name of the registry, or by_two_calls
  std::size_t segment_b = 0; ///< 0: messages are not cut
  /// Of thread_copy: how many threads of each process copy. Of an algorithm, more than one: a
  /// hybrid, in which it is followed by such a copy. Hybrids are never calibrated as such, and no
  /// MPI library does them by itself.
  std::size_t threads = 1;
  auto operator<=>(const Variant&) const = default;
};

[[nodiscard]] constexpr bool is_copy(const Variant& variant) {
  return variant.algorithm == thread_copy.name;
}
/// A call that is a part of by_two_calls.
[[nodiscard]] constexpr bool is_call(const Variant& variant) {
  return variant.algorithm == scatter_call.name || variant.algorithm == allgather_call.name;
}
/// A broadcast that a program makes itself of both calls. It is estimated, never calibrated.
inline constexpr std::string_view by_two_calls = "MPI_Scatter + MPI_Allgather";
/// An algorithm among fewer processes, followed by a copy.
[[nodiscard]] constexpr bool is_hybrid(const Variant& variant) {
  return variant.threads > 1 && !is_copy(variant);
}
/// No library does it by itself, whatever its rules.
[[nodiscard]] constexpr bool is_of_program(const Variant& variant) {
  return is_hybrid(variant) || variant.algorithm == by_two_calls;
}

/// "pipeline/128KiB", "binomial", "binomial + 8 threads".
[[nodiscard]] std::string label(const Variant& variant);
/// "64KiB", "1MiB", "1000B".
[[nodiscard]] std::string size_text(std::size_t size_b);
/// Reads "64KiB", "1MB", "1000B". Throws Error{config}, also for 0 and for more than 2 GiB - 1,
/// which is all that a count of MPI holds.
[[nodiscard]] std::size_t parse_size(std::string_view text);

/// What one variant costs at one size.
struct Cell {
  Variant variant{};
  std::size_t size_b = 0;
  /// Of one operation, by pass: on the slowest process; where processes arrive at different times,
  /// from the last arrival on.
  std::vector<Seconds> times{};
  /// How long a process was in the operation, as the mean of all, by pass; with Conditions::arrival
  /// only.
  std::vector<Seconds> inside{};
  /// What all nodes draw meanwhile, by pass; empty: not known.
  std::vector<Watts> powers{};
};

/// What was measured with so many processes.
struct Measured {
  std::size_t nodes = 1;
  std::size_t processes_per_node = 1;
  std::vector<Cell> cells{};
};

/// How threads of a node copy a message, all at the same time, as a platform says it: [D13] 3.2.2,
/// CopyPrivate. What is measured is in cells.
struct Copying {
  std::size_t threads = 1;
  Seconds start{};  ///< T_access
  Bandwidth rate{}; ///< R_transfer, of each
  Watts node_power{};
};

/// Where the power of a calibration comes from. Simulated: from a platform, by what each core does.
enum class PowerKind { none, measured, modelled, simulated };

/// What may not differ between measurements that are to be used together.
struct Conditions {
  std::string collective = "bcast";
  Library library = Library::openmpi;
  std::string version{}; ///< as MPI_Get_library_version() says
  std::string machine{}; ///< cpu model, cores
  PowerKind power = PowerKind::none;
  std::string power_source{}; ///< as a user reads it; empty: none
  double seconds_per_cell = 0;
  Arrival arrival{}; ///< when processes begin an operation
  bool operator==(const Conditions&) const = default;
};

struct Calibration {
  Conditions conditions{};
  std::uint64_t seed = 0;
  std::size_t passes = 0; ///< the most that were asked for
  std::vector<Measured> measured{};
  std::vector<Copying> copies{}; ///< ascending by threads; none: nothing is known of hybrids
  /// Of all switches together, which is in no cell; none: it is not known.
  std::optional<Watts> switch_power{};

  /// One pass, which would be the same a second time.
  [[nodiscard]] bool exact() const {
    return conditions.library == Library::smpi &&
           conditions.arrival.kind == Arrival::Kind::together;
  }
};

/// One measurement that is still to be made.
struct Step {
  std::size_t pass;
  Variant variant;
  std::size_t size_b;
};

/// What a calibration still lacks of so many passes with so many processes: each pass has all cells
/// in an order of its own, which the seed gives. A pass that has been begun is finished first.
/// `variants` are of the calibration's library; where they do not work, there is nothing to
/// measure.
[[nodiscard]] std::vector<Step> missing_steps(const Calibration& calibration,
                                              const std::vector<Variant>& variants,
                                              const std::vector<std::size_t>& sizes,
                                              std::size_t nodes, std::size_t processes_per_node,
                                              std::size_t passes);

/// None: there is none.
[[nodiscard]] const Measured* find_measured(const Calibration& calibration, std::size_t nodes,
                                            std::size_t processes_per_node);
[[nodiscard]] const Cell* find_cell(const Measured& measured, const Variant& variant,
                                    std::size_t size_b);

/// The cell of this variant and size, made where there is none.
[[nodiscard]] Cell& cell_of(Calibration& calibration, std::size_t nodes,
                            std::size_t processes_per_node, const Variant& variant,
                            std::size_t size_b);

} // namespace hypermile::collective
