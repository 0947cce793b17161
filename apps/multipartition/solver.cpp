#include "multipartition/solver.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace apps::multipartition {
namespace {

/// Of faces there are six, one for each side.
enum Tag : int { elimination, substitution, faces };

void receive(std::vector<double>& numbers, int from, Tag tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, from, tag, MPI_COMM_WORLD,
            &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// A message that is on its way while the next stage computes.
class Sending {
public:
  ~Sending() { finish(); }
  Sending() = default;
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

  void start(std::vector<double>& numbers, int to, Tag tag) {
    finish();
    numbers_.swap(numbers);
    MPI_Isend(numbers_.data(), static_cast<int>(numbers_.size()), MPI_DOUBLE, to, tag,
              MPI_COMM_WORLD, &request_);
  }

private:
  void finish() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

  std::vector<double> numbers_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

} // namespace

Solver::Solver(const Problem& problem, const Session& session, std::uint32_t side)
    : partition_(session.rank(), side, problem.points) {
  for (const auto& where : partition_.cells())
    cells_.emplace_back(where);
  for (Cell& cell : cells_)
    lines_.emplace_back(cell);
}

Cell& Solver::in_slab(Axis axis, std::uint32_t slab) {
  return cells_[partition_.cell_in_slab(axis, slab)];
}

void Solver::start(const Modes& initial) {
  for (Cell& cell : cells_)
    cell.fill(initial);
}

/// All but those at the wall, slab by slab, so that the neighbour finds them in its order.
std::vector<double> Solver::faces_for(Axis axis, bool next) {
  std::vector<double> all;
  const std::uint32_t first = next ? 0 : 1;
  for (std::uint32_t slab = first; slab + 1 < partition_.side() + first; ++slab) {
    const Cell& cell = in_slab(axis, slab);
    const std::size_t begin = all.size();
    all.resize(begin + cell.face_size(axis));
    cell.copy_face(axis, next, std::span(all).subspan(begin));
  }
  return all;
}

void Solver::set_ghosts(Axis axis, bool next, const std::vector<double>& from) {
  std::size_t begin = 0;
  const std::uint32_t first = next ? 0 : 1;
  for (std::uint32_t slab = first; slab + 1 < partition_.side() + first; ++slab) {
    Cell& cell = in_slab(axis, slab);
    cell.set_ghosts(axis, next, std::span(from).subspan(begin, cell.face_size(axis)));
    begin += cell.face_size(axis);
  }
}

void Solver::exchange_faces() {
  std::array<std::vector<double>, 6> in;
  std::array<std::vector<double>, 6> out;
  std::array<MPI_Request, 12> requests{};
  for (const Axis axis : axes)
    for (const bool next : {false, true}) {
      const std::size_t side = 2 * axis + (next ? 1 : 0);
      const int neighbour = next ? partition_.next(axis) : partition_.previous(axis);
      out[side] = faces_for(axis, next);
      in[side].resize(out[side].size());
      // What goes to the next rank comes from the previous one: with two ranks along an axis both
      // messages go between the same ranks, and the tag tells them apart.
      const int tag = faces + static_cast<int>(side);
      const int opposite = faces + static_cast<int>(side ^ 1U);
      MPI_Irecv(in[side].data(), static_cast<int>(in[side].size()), MPI_DOUBLE, neighbour, opposite,
                MPI_COMM_WORLD, &requests[side]);
      MPI_Isend(out[side].data(), static_cast<int>(out[side].size()), MPI_DOUBLE, neighbour, tag,
                MPI_COMM_WORLD, &requests[6 + side]);
    }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (const Axis axis : axes)
    for (const bool next : {false, true})
      set_ghosts(axis, next, in[2 * axis + (next ? 1 : 0)]);
}

void Solver::eliminate(Axis axis) {
  Sending sending;
  for (std::uint32_t slab = 0; slab < partition_.side(); ++slab) {
    Lines& lines = lines_[partition_.cell_in_slab(axis, slab)];
    std::vector<double> carry(lines.count(axis) * Lines::eliminated);
    if (slab > 0)
      receive(carry, partition_.previous(axis), elimination);
    lines.eliminate(axis, carry);
    if (slab + 1 < partition_.side())
      sending.start(carry, partition_.next(axis), elimination);
  }
}

void Solver::substitute(Axis axis) {
  Sending sending;
  for (std::uint32_t slab = partition_.side(); slab-- > 0;) {
    Lines& lines = lines_[partition_.cell_in_slab(axis, slab)];
    std::vector<double> carry(lines.count(axis) * Lines::substituted);
    if (slab + 1 < partition_.side())
      receive(carry, partition_.next(axis), substitution);
    lines.substitute(axis, carry);
    if (slab > 0)
      sending.start(carry, partition_.previous(axis), substitution);
  }
}

void Solver::step() {
  if (partition_.side() > 1)
    exchange_faces();
  for (Cell& cell : cells_)
    cell.find_change();
  for (const Axis axis : axes) {
    eliminate(axis);
    substitute(axis);
  }
  for (Cell& cell : cells_)
    cell.add_change();
}

double Solver::error(const Modes& known) const {
  double largest = 0;
  for (const Cell& cell : cells_)
    largest = larger(largest, cell.error(known));
  return largest_of_ranks(largest);
}

double Solver::sum_of_squares() const {
  double sum = 0;
  for (const Cell& cell : cells_)
    sum += cell.sum_of_squares();
  return sum_of_ranks(sum);
}

} // namespace apps::multipartition
