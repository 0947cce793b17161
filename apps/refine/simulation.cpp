#include "refine/simulation.hpp"

#include "common/session.hpp"

#include <array>
#include <utility>

namespace apps::refine {
namespace {

int wish(const Block& block) {
  const auto [least, largest] = block.extent();
  if (largest - least > Problem::refine_above)
    return 1;
  return largest - least < Problem::coarsen_below ? -1 : 0;
}

} // namespace

Simulation::Simulation(const Problem& problem, MPI_Comm comm)
    : problem_(problem), comm_(comm), mesh_(problem.roots, Problem::finest_level),
      ghost_mail_(comm) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  rank_ = static_cast<std::size_t>(rank);
  ranks_ = static_cast<std::size_t>(ranks);
  set_to_start();
  for (unsigned level = 0; level < Problem::finest_level; ++level) {
    mesh_ = wished_mesh();
    set_to_start();
  }
  plan_ghosts();
}

Simulation::Simulation(const Problem& problem, Moment moment, const std::vector<double>& gathered)
    : problem_(problem), comm_(MPI_COMM_SELF), steps_(moment.steps), mesh_(std::move(moment.mesh)),
      blocks_(mesh_.size(), Block(problem.cells)), ghost_mail_(comm_) {
  const std::size_t per_block = std::size_t{problem_.cells} * problem_.cells;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    CellCopy{i, i, Step::same, 0}.unpack(std::span(gathered).subspan(i * per_block, per_block),
                                         blocks_[i]);
  plan_ghosts();
}

void Simulation::set_to_start() {
  first_ = mesh_.first_of(rank_, ranks_);
  blocks_.assign(mesh_.first_of(rank_ + 1, ranks_) - first_, Block(problem_.cells));
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    blocks_[i].set_to_start(problem_, mesh_[first_ + i]);
}

/// Every rank learns what all blocks wish, and comes to the same mesh.
Mesh Simulation::wished_mesh() const {
  std::vector<int> mine(mesh_.size(), 0);
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    mine[first_ + i] = wish(blocks_[i]);
  std::vector<int> wishes(mine.size());
  MPI_Allreduce(mine.data(), wishes.data(), static_cast<int>(mine.size()), MPI_INT, MPI_SUM, comm_);
  return mesh_.adapted(wishes);
}

void Simulation::plan_ghosts() {
  ghosts_ = ghost_copies(mesh_);
  ghost_mail_ = Mailbox(comm_);
  for (std::size_t i = 0; i < ghosts_.size(); ++i)
    ghost_mail_.add(i, ghosts_[i].count(problem_.cells), owner(mesh_, ghosts_[i].from),
                    owner(mesh_, ghosts_[i].to));
}

/// Adapts the mesh, and moves blocks such that all ranks have equally many.
void Simulation::regrid() {
  const Mesh next = wished_mesh();
  const auto copies = cell_copies(mesh_, next);
  Mailbox mail(comm_);
  for (std::size_t i = 0; i < copies.size(); ++i)
    mail.add(i, copies[i].count(problem_.cells), owner(mesh_, copies[i].from),
             owner(next, copies[i].to));
  const std::size_t first = next.first_of(rank_, ranks_);
  std::vector<Block> blocks(next.first_of(rank_ + 1, ranks_) - first, Block(problem_.cells));
  mail.deliver([&](std::size_t i,
                   std::span<double> values) { copies[i].pack(local(copies[i].from), values); },
               [&](std::size_t i, std::span<const double> values) {
                 copies[i].unpack(values, blocks[copies[i].to - first]);
               });
  mesh_ = next;
  first_ = first;
  blocks_.swap(blocks);
  plan_ghosts();
}

void Simulation::step() {
  if (steps_ % Problem::regrid_interval == 0)
    regrid();
  ghost_mail_.deliver(
      [&](std::size_t i, std::span<double> values) {
        ghosts_[i].pack(local(ghosts_[i].from), values);
      },
      [&](std::size_t i, std::span<const double> values) {
        ghosts_[i].unpack(values, local(ghosts_[i].to));
      });
  const auto [x, y] = problem_.wind(steps_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const double scale = problem_.time_step() / problem_.cell_width(mesh_[first_ + i].level);
    blocks_[i].advance({x * scale, y * scale});
  }
  ++steps_;
}

Simulation::Totals Simulation::totals() const {
  std::array<double, 2> sums{};
  double largest = 0.0;
  double least = 0.0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const double width = problem_.cell_width(mesh_[first_ + i].level);
    const auto of_block = blocks_[i].sums();
    sums[0] += width * width * of_block[0];
    sums[1] += width * width * of_block[1];
    largest = larger(largest, blocks_[i].extent().largest);
    least = larger(least, -blocks_[i].extent().least);
  }
  return {sum_of_ranks(sums[0]), sum_of_ranks(sums[1]), -largest_of_ranks(least),
          largest_of_ranks(largest)};
}

std::vector<double> Simulation::gather() const {
  const std::size_t per_block = std::size_t{problem_.cells} * problem_.cells;
  std::vector<double> mine(blocks_.size() * per_block);
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    CellCopy{i, i, Step::same, 0}.pack(blocks_[i],
                                       std::span(mine).subspan(i * per_block, per_block));
  std::vector<double> all(rank_ == 0 ? mesh_.size() * per_block : 0);
  std::vector<int> begins;
  std::vector<int> counts;
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    const std::size_t begin = mesh_.first_of(rank, ranks_);
    begins.push_back(static_cast<int>(begin * per_block));
    counts.push_back(static_cast<int>((mesh_.first_of(rank + 1, ranks_) - begin) * per_block));
  }
  MPI_Gatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(), counts.data(),
              begins.data(), MPI_DOUBLE, 0, comm_);
  return all;
}

} // namespace apps::refine
