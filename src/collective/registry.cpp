#include "collective/registry.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

namespace hypermile::collective {
namespace {

constexpr std::array broadcasts_of_openmpi{
    Algorithm{.name = "basic_linear", .number = 1},
    Algorithm{.name = "chain", .number = 2, .segments = true},
    Algorithm{.name = "pipeline",
              .number = 3,
              .segments = true,
              .shape = Shape::pipeline,
              .paper = "MPI/Pipeline"},
    Algorithm{.name = "split_binary_tree", .number = 4, .segments = true},
    Algorithm{.name = "binary_tree", .number = 5, .segments = true},
    Algorithm{.name = "binomial", .number = 6, .segments = true},
    Algorithm{.name = "knomial", .number = 7, .segments = true},
    Algorithm{.name = "scatter_allgather", .number = 8},
    Algorithm{
        .name = "scatter_allgather_ring", .number = 9, .shape = Shape::ring, .paper = "MPI/SAG"}};

constexpr std::array broadcasts_of_mpich{
    Algorithm{.name = "binomial", .number = 1, .function = "MPIR_Bcast_intra_binomial"},
    Algorithm{.name = "scatter_recursive_doubling_allgather",
              .number = 4,
              .function = "MPIR_Bcast_intra_scatter_recursive_doubling_allgather"},
    Algorithm{.name = "scatter_ring_allgather",
              .number = 5,
              .shape = Shape::ring,
              .paper = "MPI/SAG",
              .function = "MPIR_Bcast_intra_scatter_ring_allgather"}};

constexpr std::array broadcasts_of_smpi{
    Algorithm{.name = "binomial_tree"},
    Algorithm{.name = "flattree"},
    Algorithm{.name = "ompi_pipeline"},
    Algorithm{.name = "pipeline",
              .segments = true,
              .shape = Shape::pipeline,
              .paper = "MPI/Pipeline",
              .own = true},
    Algorithm{.name = "scatter_LR_allgather", .shape = Shape::ring, .paper = "MPI/SAG"},
    Algorithm{.name = "scatter_rdb_allgather"}};

constexpr std::array allreduces_of_openmpi{
    Algorithm{.name = "basic_linear", .number = 1, .shape = Shape::steps},
    Algorithm{.name = "nonoverlapping", .number = 2},
    Algorithm{.name = "recursive_doubling", .number = 3, .shape = Shape::doubling},
    Algorithm{.name = "ring",
              .number = 4,
              .shape = Shape::ring,
              .parts = Parts::one_per_process,
              .commutative = true},
    Algorithm{.name = "segmented_ring",
              .number = 5,
              .segments = true,
              .shape = Shape::ring,
              .parts = Parts::segment_per_process,
              .commutative = true},
    Algorithm{.name = "rabenseifner",
              .number = 6,
              .shape = Shape::halving,
              .parts = Parts::one_per_process_in_power_of_two}};

constexpr std::array allreduces_of_mpich{
    Algorithm{.name = "recursive_doubling",
              .number = 3,
              .shape = Shape::doubling,
              .function = "MPIR_Allreduce_intra_recursive_doubling"},
    Algorithm{.name = "reduce_scatter_allgather",
              .number = 4,
              .shape = Shape::halving,
              .parts = Parts::one_per_process_in_power_of_two,
              .function = "MPIR_Allreduce_intra_reduce_scatter_allgather"}};

constexpr std::array allreduces_of_smpi{
    Algorithm{.name = "lr", .shape = Shape::ring, .parts = Parts::one_per_process},
    Algorithm{.name = "rab1",
              .shape = Shape::halving,
              .processes = Processes::power_of_two,
              .parts = Parts::one_per_process},
    Algorithm{.name = "rab2", .shape = Shape::steps},
    Algorithm{.name = "rab_rdb",
              .shape = Shape::halving,
              .parts = Parts::one_per_process_in_power_of_two},
    Algorithm{.name = "rdb", .shape = Shape::doubling},
    Algorithm{.name = "redbcast"}};

constexpr std::array allgathers_of_openmpi{
    Algorithm{.name = "linear", .number = 1, .shape = Shape::steps},
    Algorithm{.name = "bruck", .number = 2, .shape = Shape::collecting},
    Algorithm{.name = "recursive_doubling",
              .number = 3,
              .shape = Shape::collecting,
              .processes = Processes::power_of_two},
    Algorithm{.name = "ring", .number = 4, .shape = Shape::steps},
    Algorithm{.name = "neighbor", .number = 5, .shape = Shape::steps, .processes = Processes::even},
    Algorithm{.name = "two_proc", .number = 6, .processes = Processes::two}};

constexpr std::array allgathers_of_mpich{
    Algorithm{.name = "brucks",
              .number = 1,
              .shape = Shape::collecting,
              .function = "MPIR_Allgather_intra_brucks"},
    Algorithm{.name = "recursive_doubling",
              .number = 3,
              .shape = Shape::collecting,
              .processes = Processes::power_of_two,
              .function = "MPIR_Allgather_intra_recursive_doubling"},
    Algorithm{.name = "ring",
              .number = 4,
              .shape = Shape::steps,
              .function = "MPIR_Allgather_intra_ring"}};

constexpr std::array allgathers_of_smpi{
    Algorithm{.name = "GB"},
    Algorithm{.name = "NTSLR", .shape = Shape::steps},
    Algorithm{.name = "bruck", .shape = Shape::collecting},
    Algorithm{.name = "ompi_neighborexchange", .shape = Shape::steps, .processes = Processes::even},
    Algorithm{.name = "pair", .shape = Shape::steps, .processes = Processes::power_of_two},
    Algorithm{.name = "rdb", .shape = Shape::collecting},
    Algorithm{.name = "rhv", .shape = Shape::collecting, .processes = Processes::power_of_two},
    Algorithm{.name = "ring", .shape = Shape::steps},
    Algorithm{.name = "spreading_simple", .shape = Shape::steps}};

constexpr std::array alltoalls_of_openmpi{
    Algorithm{.name = "linear", .number = 1, .shape = Shape::steps},
    Algorithm{.name = "pairwise", .number = 2, .shape = Shape::steps},
    Algorithm{.name = "modified_bruck", .number = 3, .shape = Shape::exchange},
    Algorithm{.name = "linear_sync", .number = 4, .shape = Shape::steps},
    Algorithm{.name = "two_proc", .number = 5, .processes = Processes::two}};

constexpr std::array alltoalls_of_mpich{Algorithm{.name = "brucks",
                                                  .number = 1,
                                                  .shape = Shape::exchange,
                                                  .function = "MPIR_Alltoall_intra_brucks"},
                                        Algorithm{.name = "pairwise",
                                                  .number = 3,
                                                  .shape = Shape::steps,
                                                  .function = "MPIR_Alltoall_intra_pairwise"},
                                        Algorithm{.name = "scattered",
                                                  .number = 5,
                                                  .shape = Shape::steps,
                                                  .function = "MPIR_Alltoall_intra_scattered"}};

constexpr std::array alltoalls_of_smpi{
    Algorithm{.name = "basic_linear", .shape = Shape::steps},
    Algorithm{.name = "bruck", .shape = Shape::exchange},
    Algorithm{.name = "mvapich2_scatter_dest", .shape = Shape::steps},
    Algorithm{.name = "pair", .shape = Shape::steps, .processes = Processes::power_of_two},
    Algorithm{.name = "ring", .shape = Shape::steps},
    Algorithm{.name = "ring_light_barrier", .shape = Shape::steps},
    Algorithm{.name = "ring_mpi_barrier", .shape = Shape::steps},
    Algorithm{.name = "ring_one_barrier", .shape = Shape::steps}};

constexpr std::size_t kib = 1U << 10U;
constexpr std::size_t mib = 1U << 20U;

/// How the rules of a library measure a message was observed on both sides of a boundary, see
/// docs/collectives.md.
constexpr std::array table{Collective{.name = "allgather",
                                      .function = "MPI_Allgather",
                                      .plural = "allgathers",
                                      .element_b = 1,
                                      .message_for_each = true,
                                      .by_program = false,
                                      .first_b = kib,
                                      .last_b = mib,
                                      .openmpi_rule = 0,
                                      .openmpi_size = RuleSize::times_all,
                                      .mpich_size = RuleSize::times_all,
                                      .openmpi = allgathers_of_openmpi,
                                      .mpich = allgathers_of_mpich,
                                      .smpi = allgathers_of_smpi},
                           Collective{.name = "allreduce",
                                      .function = "MPI_Allreduce",
                                      .plural = "allreduces",
                                      .element_b = sizeof(double),
                                      .message_for_each = false,
                                      .by_program = false,
                                      .first_b = 4 * kib,
                                      .last_b = 16 * mib,
                                      .openmpi_rule = 2,
                                      .openmpi_size = RuleSize::message,
                                      .mpich_size = RuleSize::message,
                                      .openmpi = allreduces_of_openmpi,
                                      .mpich = allreduces_of_mpich,
                                      .smpi = allreduces_of_smpi},
                           Collective{.name = "alltoall",
                                      .function = "MPI_Alltoall",
                                      .plural = "alltoalls",
                                      .element_b = 1,
                                      .message_for_each = true,
                                      .by_program = false,
                                      .first_b = kib,
                                      .last_b = mib,
                                      .openmpi_rule = 3,
                                      .openmpi_size = RuleSize::times_all,
                                      .mpich_size = RuleSize::message,
                                      .openmpi = alltoalls_of_openmpi,
                                      .mpich = alltoalls_of_mpich,
                                      .smpi = alltoalls_of_smpi},
                           Collective{.name = "bcast",
                                      .function = "MPI_Bcast",
                                      .plural = "broadcasts",
                                      .element_b = 1,
                                      .message_for_each = false,
                                      .by_program = true,
                                      .first_b = 64 * kib,
                                      .last_b = 256 * mib,
                                      .openmpi_rule = 7,
                                      .openmpi_size = RuleSize::message,
                                      .mpich_size = RuleSize::message,
                                      .openmpi = broadcasts_of_openmpi,
                                      .mpich = broadcasts_of_mpich,
                                      .smpi = broadcasts_of_smpi}};

constexpr std::array libraries{std::pair{Library::openmpi, std::string_view{"openmpi"}},
                               std::pair{Library::mpich, std::string_view{"mpich"}},
                               std::pair{Library::smpi, std::string_view{"smpi"}}};

bool works_with(Processes needed, std::size_t processes) {
  switch (needed) {
  case Processes::any:
    return true;
  case Processes::even:
    return processes % 2 == 0;
  case Processes::power_of_two:
    return std::has_single_bit(processes);
  case Processes::two:
    return processes == 2;
  }
  return false;
}

std::size_t parts_of(Parts parts, std::size_t processes) {
  switch (parts) {
  case Parts::none:
    return 1;
  case Parts::one_per_process:
  case Parts::segment_per_process:
    return processes;
  case Parts::one_per_process_in_power_of_two:
    return std::bit_floor(processes);
  }
  return 1;
}

} // namespace

bool works(const Collective& collective, const Algorithm& algorithm, std::size_t processes,
           std::size_t size_b, std::size_t segment_b) {
  const bool cuts = algorithm.parts == Parts::segment_per_process;
  if (!works_with(algorithm.processes, processes) || (cuts && segment_b < collective.element_b))
    return false;
  const std::size_t part_b = cuts ? segment_b : collective.element_b;
  return size_b / part_b >= parts_of(algorithm.parts, processes);
}

std::size_t rule_size_b(RuleSize measure, std::size_t size_b, std::size_t processes) {
  return measure == RuleSize::times_all ? size_b * processes : size_b;
}

Around sizes_around(const Collective& collective, RuleSize measure, std::size_t rule_size,
                    std::size_t processes) {
  const std::size_t step = rule_size_b(measure, collective.element_b, processes);
  const std::size_t from = (rule_size + step - 1) / step;
  return {.below_b = from > 0 ? (from - 1) * collective.element_b : 0,
          .from_b = from * collective.element_b};
}

std::string_view name_of(Library library) {
  return std::ranges::find(libraries, library, [](const auto& row) { return row.first; })->second;
}

std::optional<Library> library_named(std::string_view name) {
  for (const auto& [library, its_name] : libraries)
    if (name == its_name)
      return library;
  return std::nullopt;
}

std::span<const Collective> collectives() { return table; }

const Collective& collective_named(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Collective::name);
  if (found != table.end())
    return *found;
  std::string names;
  for (const Collective& collective : table)
    names += (names.empty() ? "" : ", ") + std::string(collective.name);
  throw Error(ErrorKind::config, fmt::format("there is no collective '{}'", name),
              "one of " + names);
}

std::span<const Algorithm> algorithms_of(const Collective& collective, Library library) {
  switch (library) {
  case Library::openmpi:
    return collective.openmpi;
  case Library::mpich:
    return collective.mpich;
  case Library::smpi:
    return collective.smpi;
  }
  return {};
}

const Algorithm* find_algorithm(const Collective& collective, Library library,
                                std::string_view name) {
  const auto all = algorithms_of(collective, library);
  const auto found = std::ranges::find(all, name, &Algorithm::name);
  return found == all.end() ? nullptr : &*found;
}

const Algorithm* find_by_program(const Collective& collective, std::string_view name) {
  if (collective.by_program)
    for (const Algorithm* const its : {&thread_copy, &scatter_call, &allgather_call})
      if (its->name == name)
        return its;
  return nullptr;
}

const Algorithm* find_measurable(const Collective& collective, Library library,
                                 std::string_view name) {
  if (library != Library::smpi && name == library_choice.name)
    return &library_choice;
  if (const auto* const its = find_by_program(collective, name); its != nullptr)
    return library == Library::smpi ? nullptr : its;
  return find_algorithm(collective, library, name);
}

} // namespace hypermile::collective
