#include "support/random_problem.hpp"

#include <limits>

namespace hypermile::test {

using model::ModelKind;

double RandomProblem::time() {
  return coarse_ ? 0.25 * static_cast<double>(integer(1, 8)) : uniform(0.1, 2);
}

model::GearTable RandomProblem::gears(std::size_t count) {
  std::vector<Hertz> frequencies;
  double f = coarse_ ? 2e9 : uniform(1.5e9, 3.5e9);
  const double step = coarse_ ? 0.8 : uniform(0.6, 0.97);
  for (std::size_t g = 0; g < count; ++g, f *= step)
    frequencies.emplace_back(f);
  return model::GearTable{frequencies};
}

std::vector<model::AnalyticNode> RandomProblem::analytic_nodes(double max_vectors) {
  coarse_ = chance(0.3);
  const bool no_communication = chance(0.2);
  const bool no_static_power = chance(0.15);
  const bool identical = chance(0.15);
  std::vector<model::AnalyticNode> nodes;
  double vectors = 1;
  for (std::size_t left = integer(1, most_nodes_); left > 0; --left) {
    const std::size_t count = chance(0.1) ? 1 : integer(1, 6);
    if (vectors * static_cast<double>(count) > max_vectors)
      break;
    vectors *= static_cast<double>(count);
    const Seconds communication{no_communication ? 0 : time()};
    const Watts static_power{no_static_power ? 0 : uniform(0, 12)};
    nodes.push_back({gears(count), Seconds{chance(0.05) ? 0 : time()}, communication,
                     Watts{chance(0.05) ? 0 : uniform(5, 50)}, static_power, integer(0, 2)});
    if (identical) {
      const std::size_t cluster = nodes.back().cluster;
      nodes.back() = nodes.front();
      nodes.back().cluster = cluster;
      vectors = 1;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        vectors *= static_cast<double>(nodes.front().gears.size());
    }
  }
  // At least one node that computes and draws power, or there is no problem.
  nodes.front().computation = Seconds{time()};
  nodes.front().dynamic_power = Watts{uniform(5, 50)};
  return nodes;
}

std::vector<model::TableNode> RandomProblem::table_nodes(double max_vectors) {
  coarse_ = chance(0.3);
  const bool no_communication = chance(0.2);
  const bool waiting_by_gear = chance(0.5);
  std::vector<model::TableNode> nodes;
  double vectors = 1;
  for (std::size_t left = integer(1, most_nodes_); left > 0; --left) {
    const std::size_t count = chance(0.1) ? 1 : integer(1, 6);
    if (vectors * static_cast<double>(count) > max_vectors)
      break;
    vectors *= static_cast<double>(count);
    model::TableNode node{gears(count), {}, Seconds{no_communication ? 0 : time()}, 0};
    const Watts waiting{chance(0.15) ? 0 : uniform(0, 12)};
    for (std::size_t g = 0; g < count; ++g)
      node.measured.push_back({Seconds{time()}, Joules{coarse_ ? time() * 8 : uniform(1, 40)},
                               waiting_by_gear ? Watts{uniform(0, 30)} : waiting});
    nodes.push_back(std::move(node));
  }
  return nodes;
}

model::HomogeneousCluster RandomProblem::homogeneous() {
  coarse_ = chance(0.3);
  model::HomogeneousCluster cluster{
      gears(integer(1, 12)), {}, Watts{uniform(5, 50)}, Watts{chance(0.2) ? 0 : uniform(0, 12)}};
  const bool no_communication = chance(0.3);
  for (std::size_t left = integer(1, most_nodes_); left > 0; --left)
    cluster.tasks.push_back({Seconds{time()}, Seconds{no_communication ? 0 : time()}});
  return cluster;
}

model::Problem RandomProblem::make_large(ModelKind kind, std::size_t nodes) {
  most_nodes_ = nodes;
  model::Problem problem = make(kind, std::numeric_limits<double>::infinity());
  most_nodes_ = 6;
  return problem;
}

model::Problem RandomProblem::make(ModelKind kind, double max_vectors) {
  switch (kind) {
  case ModelKind::rauber:
  case ModelKind::homogeneous:
    return homogeneous_problem(homogeneous(), kind);
  case ModelKind::cluster:
    return cluster_problem(analytic_nodes(max_vectors));
  case ModelKind::grid:
    return grid_problem(analytic_nodes(max_vectors));
  case ModelKind::hybrid:
    return hybrid_problem(analytic_nodes(max_vectors));
  case ModelKind::async:
  case ModelKind::async_literal:
    return async_problem(analytic_nodes(max_vectors), kind);
  case ModelKind::table:
    break;
  }
  return table_problem(table_nodes(max_vectors));
}

} // namespace hypermile::test
