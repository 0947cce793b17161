#include "collective/registry.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    Algorithm{.name = "mvapich2_inter_node"},
    Algorithm{.name = "ompi_pipeline"},
    Algorithm{.name = "pipeline",
              .segments = true,
              .shape = Shape::pipeline,
              .paper = "MPI/Pipeline",
              .own = true},
    Algorithm{.name = "scatter_LR_allgather", .shape = Shape::ring, .paper = "MPI/SAG"},
    Algorithm{.name = "scatter_rdb_allgather"}};

constexpr std::array table{Collective{.name = "bcast",
                                      .openmpi_rule = 7,
                                      .openmpi = broadcasts_of_openmpi,
                                      .mpich = broadcasts_of_mpich,
                                      .smpi = broadcasts_of_smpi}};

constexpr std::array libraries{std::pair{Library::openmpi, std::string_view{"openmpi"}},
                               std::pair{Library::mpich, std::string_view{"mpich"}},
                               std::pair{Library::smpi, std::string_view{"smpi"}}};

} // namespace

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

const Algorithm* find_measurable(const Collective& collective, Library library,
                                 std::string_view name) {
  if (library != Library::smpi && name == library_choice.name)
    return &library_choice;
  return find_algorithm(collective, library, name);
}

} // namespace hypermile::collective
