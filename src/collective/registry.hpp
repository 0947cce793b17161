#pragma once

#include <optional>
#include <span>
#include <string_view>

/// Collective operations of MPI: which algorithms the libraries have for them, what these cost as
/// calibrated, and the choice among them. No MPI here, no files.
namespace hypermile::collective {

enum class Library { openmpi, mpich };

/// "openmpi", "mpich".
[[nodiscard]] std::string_view name_of(Library library);
[[nodiscard]] std::optional<Library> library_named(std::string_view name);

/// How the time of an algorithm depends on the size of the message, see curve.hpp.
enum class Shape { line, pipeline };

/// An algorithm of a library.
struct Algorithm {
  std::string_view name; ///< as the library spells it
  int number;            ///< in the library's own list, at least 1; 0 lets the library choose
  bool segments = false; ///< can cut a message into segments
  Shape shape = Shape::line;
  /// What [D13] calls it; empty: the paper does not have it.
  std::string_view paper{};
  /// In a selection tree of MPICH; empty elsewhere.
  std::string_view function{};
};

/// A collective operation.
struct Collective {
  std::string_view name;
  int openmpi_rule; ///< its number in a file of dynamic rules of Open MPI
  /// Of coll/tuned in Open MPI 4.1, as `ompi_info --all` lists them.
  std::span<const Algorithm> openmpi;
  /// Of MPICH 4.0 for intracommunicators, those that can be seen at work from outside: not `nb` and
  /// `smp`, which call other algorithms.
  std::span<const Algorithm> mpich;
};

/// All that there are.
[[nodiscard]] std::span<const Collective> collectives();
/// Throws Error{config} naming those that there are.
[[nodiscard]] const Collective& collective_named(std::string_view name);

[[nodiscard]] std::span<const Algorithm> algorithms_of(const Collective& collective,
                                                       Library library);
/// None: the library has none of this name.
[[nodiscard]] const Algorithm* find_algorithm(const Collective& collective, Library library,
                                              std::string_view name);

} // namespace hypermile::collective
