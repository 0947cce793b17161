#include "multisplitting/cluster.hpp"

#include <algorithm>

namespace apps::multisplitting {

Cluster::Cluster(const Problem& problem, const Options& options, const Partition& partition,
                 int rank)
    : problem_(problem), index_(partition.cluster_of(rank)),
      block_(problem.side, partition.rows_of(rank), partition.planes_of(index_)),
      links_(partition.links_of(rank)),
      gmres_(
          block_.points(), options.restart,
          [this](std::span<const double> field, std::span<double> result) {
            apply(field, nullptr, result);
          },
          [this](std::span<double> numbers) { sum(numbers); }) {
  MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(index_), rank, &comm_);
  MPI_Comm_rank(comm_, &place_);
  int ranks = 0;
  MPI_Comm_size(comm_, &ranks);
  partners_ = {place_ > 0 ? place_ - 1 : MPI_PROC_NULL,
               place_ + 1 < ranks ? place_ + 1 : MPI_PROC_NULL};
  for (std::size_t side = 0; side < 2; ++side)
    if (partners_[side] != MPI_PROC_NULL) {
      walls_[side].resize(block_.wall_size());
      received_[side].resize(block_.wall_size());
    }
  right_hand_side_ =
      field_of([&](auto x, auto y, auto z) { return problem_.right_hand_side(x, y, z); });
}

Cluster::~Cluster() { MPI_Comm_free(&comm_); }

template <class Of> Values Cluster::field_of(Of&& of) const {
  Values field;
  field.reserve(block_.points());
  for (std::uint32_t z = block_.planes().begin; z < block_.planes().end; ++z)
    for (std::uint32_t y = block_.rows().begin; y < block_.rows().end; ++y)
      for (std::uint32_t x = 0; x < block_.side(); ++x)
        field.push_back(of(x + 1, y + 1, z + 1));
  return field;
}

double Cluster::squared_right_hand_side() const {
  double square = dot(right_hand_side_, right_hand_side_);
  MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return square;
}

Boundary Cluster::boundary() const {
  Boundary boundary;
  for (const Link& link : links_)
    (link.is_above ? boundary.above : boundary.below).resize(block_.plane_size());
  return boundary;
}

std::span<double> Cluster::part(Boundary& boundary, const Link& link) const {
  const std::size_t side = block_.side();
  return std::span(link.is_above ? boundary.above : boundary.below)
      .subspan((link.rows.begin - block_.rows().begin) * side, edge_size(link));
}

std::span<const double> Cluster::edge(const Values& field, const Link& link) const {
  const std::size_t side = block_.side();
  const std::size_t plane = link.is_above ? block_.planes().size() - std::size_t{1} : 0;
  return std::span(field).subspan(plane * block_.plane_size() +
                                      (link.rows.begin - block_.rows().begin) * side,
                                  edge_size(link));
}

void Cluster::sum(std::span<double> numbers) const {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_SUM,
                comm_);
}

void Cluster::exchange(std::span<const double> field) {
  std::array<MPI_Request, 4> requests{};
  const std::array<std::uint32_t, 2> rows = {0, block_.rows().size() - 1};
  for (std::size_t side = 0; side < 2; ++side) {
    const int size = static_cast<int>(received_[side].size());
    MPI_Irecv(received_[side].data(), size, MPI_DOUBLE, partners_[side], 0, comm_, &requests[side]);
    if (size > 0)
      block_.get_wall(field, rows[side], walls_[side]);
  }
  for (std::size_t side = 0; side < 2; ++side)
    MPI_Isend(walls_[side].data(), static_cast<int>(walls_[side].size()), MPI_DOUBLE,
              partners_[side], 0, comm_, &requests[side + 2]);
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void Cluster::apply(std::span<const double> field, const Boundary* boundary,
                    std::span<double> result) {
  exchange(field);
  Neighbours neighbours{.south = received_[0], .north = received_[1], .below = {}, .above = {}};
  if (boundary != nullptr) {
    neighbours.below = boundary->below;
    neighbours.above = boundary->above;
  }
  block_.apply(field, neighbours, result);
}

double Cluster::residual(const Values& field, const Boundary& boundary, Values& result) {
  apply(field, &boundary, result);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = right_hand_side_[i] - result[i];
  return dot(result, result);
}

void Cluster::improve(Values& field, Values& residual, const GmresLimits& limits) {
  gmres_.improve(field, residual, limits);
}

double Cluster::squared_error(const Values& field) const {
  Values error = field_of([&](auto x, auto y, auto z) { return problem_.solution(x, y, z); });
  for (std::size_t i = 0; i < error.size(); ++i)
    error[i] -= field[i];
  return dot(error, error);
}

} // namespace apps::multisplitting
