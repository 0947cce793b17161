#pragma once

#include <optional>
#include <span>
#include <string_view>

/// Collective operations of MPI: which algorithms the libraries have for them, what these cost as
/// calibrated, and the choice among them. No MPI here, no files.
namespace hypermile::collective {

enum class Library {
  openmpi,
  mpich,
  smpi, ///< SimGrid's, for machines that are not there
};

/// "openmpi", "mpich", "smpi".
[[nodiscard]] std::string_view name_of(Library library);
[[nodiscard]] std::optional<Library> library_named(std::string_view name);

/// How the time of an algorithm depends on the size of the message, see curve.hpp.
enum class Shape {
  line,
  pipeline,
  ring, ///< scatters the message, and gathers its parts along a ring
};

/// An algorithm of a library.
struct Algorithm {
  std::string_view name; ///< as the library spells it
  /// In the library's own list, at least 1; 0 lets the library choose. SMPI knows names only.
  int number = 0;
  bool segments = false; ///< can cut a message into segments
  Shape shape = Shape::line;
  /// What [D13] calls it; empty: the paper does not have it.
  std::string_view paper{};
  /// In a selection tree of MPICH; empty elsewhere.
  std::string_view function{};
  /// Not the library's: hypermile's program does it with messages from one process to another.
  bool own = false;
};

/// In place of an algorithm: whatever the library takes by its own rules, to compare with. It is
/// measured, and never chosen.
inline constexpr Algorithm library_choice{.name = "default"};

/// A collective operation.
struct Collective {
  std::string_view name;
  int openmpi_rule; ///< its number in a file of dynamic rules of Open MPI
  /// Of coll/tuned in Open MPI 4.1, as `ompi_info --all` lists them.
  std::span<const Algorithm> openmpi;
  /// Of MPICH 4.0 for intracommunicators, those that can be seen at work from outside: not `nb` and
  /// `smp`, which call other algorithms.
  std::span<const Algorithm> mpich;
  /// Of SimGrid 3.32 (smpi/bcast), those that work with any number of processes and any size, and
  /// are not another one under certain conditions; and a pipeline of hypermile's own, since the
  /// segments of SMPI's follow a rule.
  std::span<const Algorithm> smpi;
};

/// All that there are.
[[nodiscard]] std::span<const Collective> collectives();
/// Throws Error{config} naming those that there are.
[[nodiscard]] const Collective& collective_named(std::string_view name);

[[nodiscard]] std::span<const Algorithm> algorithms_of(const Collective& collective,
                                                       Library library);
/// What a calibration may have of a library: an algorithm of this name, or library_choice, except
/// in simulations. None: there is none of this name.
[[nodiscard]] const Algorithm* find_measurable(const Collective& collective, Library library,
                                               std::string_view name);
/// None: the library has none of this name.
[[nodiscard]] const Algorithm* find_algorithm(const Collective& collective, Library library,
                                              std::string_view name);

} // namespace hypermile::collective
