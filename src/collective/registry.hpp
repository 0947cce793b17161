#pragma once

#include <cstddef>
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

/// How the time of an algorithm depends on the size and the number of processes, see curve.hpp.
enum class Shape {
  line,
  pipeline,
  ring,       ///< parts of the message go along a ring
  steps,      ///< a message to or from each other process, one after the other
  doubling,   ///< a whole message in each of log2 P steps
  halving,    ///< parts that halve, or double, in log2 P steps; in all almost one message
  collecting, ///< what has been collected doubles in log2 P steps; in all P - 1 messages
  exchange,   ///< half of the P messages in each of log2 P steps
};

/// With how many processes an algorithm works. With others the library takes another one, or fails.
enum class Processes { any, even, power_of_two, two };

/// Into how many parts an algorithm cuts the message, each of one element at least. The library
/// takes another algorithm for a message with fewer elements.
enum class Parts {
  none,
  one_per_process,
  one_per_process_in_power_of_two, ///< of the largest power of two that there are processes
  segment_per_process,             ///< of the size of a segment
};

/// An algorithm of a library.
struct Algorithm {
  std::string_view name; ///< as the library spells it
  /// In the library's own list, at least 1; 0 lets the library choose. SMPI knows names only.
  int number = 0;
  bool segments = false; ///< can cut a message into segments
  Shape shape = Shape::line;
  Processes processes = Processes::any;
  Parts parts = Parts::none;
  /// Gives wrong results with operations that do not commute, and the library does not look: never
  /// in rules unless the user says that all of them do.
  bool commutative = false;
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

/// Nothing of the library's: threads of each process copy the message that the process has got, by
/// `copyprivate` of OpenMP. With an algorithm before it, that is a hybrid.
inline constexpr Algorithm thread_copy{.name = "copyprivate"};

/// Calls of which a program can make a broadcast of its own: each process gets its part of the
/// message, and then those of all others. Which algorithms do it the library chooses.
inline constexpr Algorithm scatter_call{.name = "MPI_Scatter", .parts = Parts::one_per_process};
inline constexpr Algorithm allgather_call{.name = "MPI_Allgather", .parts = Parts::one_per_process};

/// What a library's rules call the size of a message.
enum class RuleSize {
  message,   ///< what `size` is everywhere in hypermile
  times_all, ///< times the number of processes
};

/// A collective operation. Its size in bytes is that of the message (bcast), of the vector of each
/// process (allreduce), of what each process contributes (allgather), or of what each process sends
/// to each (alltoall): that of the count and type which a program gives MPI.
struct Collective {
  std::string_view name;     ///< as MPI has it in its functions, in small letters
  std::string_view function; ///< "MPI_Bcast"
  std::string_view plural;   ///< "broadcasts"
  /// Sizes are multiples of this, the type with which it is measured.
  std::size_t element_b;
  /// Each process has a buffer with as many messages as there are processes.
  bool message_for_each;
  /// What arrives is the same for all, so that a program may do a part of it by itself, or all: by
  /// a copy for the threads of a node, or by two calls.
  bool by_program;
  /// The sizes that are calibrated if nothing is said.
  std::size_t first_b;
  std::size_t last_b;
  int openmpi_rule; ///< its number in a file of dynamic rules of Open MPI
  RuleSize openmpi_size;
  RuleSize mpich_size;
  /// Of coll/tuned in Open MPI 4.1, as `ompi_info --all` lists them.
  std::span<const Algorithm> openmpi;
  /// Of MPICH 4.0 for intracommunicators, those that can be seen at work from outside: not `nb` and
  /// `smp`, which call other algorithms.
  std::span<const Algorithm> mpich;
  /// Of SimGrid 3.32 (smpi/bcast and the like), those that work with any number of processes and
  /// any size, and are not another one under conditions that are not given here; for broadcasts a
  /// pipeline of hypermile's own, too, since the segments of SMPI's follow a rule.
  std::span<const Algorithm> smpi;
};

/// All that there are.
[[nodiscard]] std::span<const Collective> collectives();
/// Throws Error{config} naming those that there are.
[[nodiscard]] const Collective& collective_named(std::string_view name);

/// Whether the library runs this algorithm itself, and no other in its place.
[[nodiscard]] bool works(const Collective& collective, const Algorithm& algorithm,
                         std::size_t processes, std::size_t size_b, std::size_t segment_b);

/// How many bytes the library's rules call a message of this size.
[[nodiscard]] std::size_t rule_size_b(RuleSize measure, std::size_t size_b, std::size_t processes);
/// The largest size below, and the smallest from this size of the rules on, that there are.
struct Around {
  std::size_t below_b; ///< 0: there is none
  std::size_t from_b;
};
[[nodiscard]] Around sizes_around(const Collective& collective, RuleSize measure,
                                  std::size_t rule_size_b, std::size_t processes);

[[nodiscard]] std::span<const Algorithm> algorithms_of(const Collective& collective,
                                                       Library library);
/// What a program can do itself in place of a part of the collective: thread_copy and the two calls
/// of broadcasts. None: there is none of this name.
[[nodiscard]] const Algorithm* find_by_program(const Collective& collective, std::string_view name);
/// What a calibration may have of a library: an algorithm of this name, or, except in simulations,
/// library_choice or what programs do. None: there is none of this name.
[[nodiscard]] const Algorithm* find_measurable(const Collective& collective, Library library,
                                               std::string_view name);
/// None: the library has none of this name.
[[nodiscard]] const Algorithm* find_algorithm(const Collective& collective, Library library,
                                              std::string_view name);

} // namespace hypermile::collective
