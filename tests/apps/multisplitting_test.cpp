// The parts of multisplitting that need no MPI, against dense linear algebra.

#include "multisplitting/block.hpp"
#include "multisplitting/gmres.hpp"
#include "multisplitting/options.hpp"
#include "multisplitting/partition.hpp"
#include "multisplitting/problem.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace apps::multisplitting {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::span<double> span_of(VectorXd& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}

Gmres gmres_for(const MatrixXd& matrix, int restart) {
  return {static_cast<std::size_t>(matrix.rows()), restart,
          [&matrix](std::span<const double> in, std::span<double> out) {
            const Eigen::Map<const VectorXd> vector(in.data(), matrix.cols());
            Eigen::Map<VectorXd>(out.data(), matrix.rows()) = matrix * vector;
          },
          [](std::span<double>) {}};
}

/// Not symmetric, and far from singular.
MatrixXd random_matrix(int size, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  MatrixXd matrix = MatrixXd::NullaryExpr(size, size, [&] { return number(random); });
  return matrix + 1.2 * std::sqrt(size) * MatrixXd::Identity(size, size);
}

VectorXd random_vector(int size, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return VectorXd::NullaryExpr(size, [&] { return number(random); });
}

TEST(gmres, solves_as_a_direct_solver_does_in_as_many_steps_as_there_are_unknowns) {
  std::mt19937 random(1);
  for (int size = 1; size <= 20; ++size) {
    const MatrixXd matrix = random_matrix(size, random);
    const VectorXd right = random_vector(size, random);
    VectorXd x = random_vector(size, random);
    VectorXd residual = right - matrix * x;
    const auto outcome = gmres_for(matrix, size).improve(span_of(x), span_of(residual), {});
    EXPECT_LE(outcome.steps, size);
    EXPECT_LE((x - matrix.partialPivLu().solve(right)).norm(), 1e-10) << size << " unknowns";
  }
}

TEST(gmres, has_the_least_residual_of_all_combinations_of_powers_of_the_matrix) {
  std::mt19937 random(2);
  constexpr int size = 15;
  for (int steps = 1; steps < 8; ++steps) {
    const MatrixXd matrix = random_matrix(size, random);
    const VectorXd right = random_vector(size, random);
    MatrixXd images(size, steps); // A b, A^2 b, ...
    images.col(0) = matrix * right;
    for (int i = 1; i < steps; ++i)
      images.col(i) = matrix * images.col(i - 1);
    const VectorXd best = images.colPivHouseholderQr().solve(right);
    VectorXd x = VectorXd::Zero(size);
    VectorXd residual = right;
    const auto outcome = gmres_for(matrix, steps).improve(span_of(x), span_of(residual), {});
    EXPECT_EQ(outcome.steps, steps);
    EXPECT_NEAR((right - matrix * x).norm(), (right - images * best).norm(), 1e-9);
    EXPECT_NEAR(outcome.residual, (right - matrix * x).norm(), 1e-12);
  }
}

TEST(gmres, comes_below_the_residual_asked_for_when_it_starts_again_and_again) {
  std::mt19937 random(3);
  for (int restart = 1; restart <= 6; ++restart) {
    const MatrixXd matrix = random_matrix(30, random);
    const VectorXd right = random_vector(30, random);
    VectorXd x = VectorXd::Zero(30);
    VectorXd residual = right;
    const auto outcome = gmres_for(matrix, restart)
                             .improve(span_of(x), span_of(residual),
                                      {.cycles = 1000, .relative_residual = 1e-8, .residual = 0.0});
    EXPECT_LE((right - matrix * x).norm(), 1.001e-8 * right.norm()) << "restart " << restart;
    EXPECT_NEAR(outcome.residual, (right - matrix * x).norm(), 1e-13);
  }
}

TEST(gmres, ends_a_cycle_where_the_space_is_exhausted) {
  const MatrixXd matrix = 3.0 * MatrixXd::Identity(6, 6);
  const VectorXd right = VectorXd::LinSpaced(6, 1.0, 2.0);
  VectorXd x = VectorXd::Zero(6);
  VectorXd residual = right;
  const auto outcome = gmres_for(matrix, 5).improve(span_of(x), span_of(residual), {});
  EXPECT_EQ(outcome.steps, 1);
  EXPECT_LE((3.0 * x - right).norm(), 1e-14);
}

TEST(gmres, leaves_alone_what_is_good_enough) {
  const MatrixXd matrix = 3.0 * MatrixXd::Identity(4, 4);
  VectorXd x = VectorXd::Ones(4);
  VectorXd residual = VectorXd::Constant(4, 0.1);
  const auto outcome = gmres_for(matrix, 5).improve(
      span_of(x), span_of(residual), {.cycles = 3, .relative_residual = 0.0, .residual = 0.25});
  EXPECT_EQ(outcome.steps, 0);
  EXPECT_EQ(x, VectorXd::Ones(4));
}

/// The whole equation: 6 on the diagonal, -1 for each of the neighbours.
MatrixXd laplacian(int side) {
  MatrixXd matrix = MatrixXd::Zero(side * side * side, side * side * side);
  const auto index = [&](int x, int y, int z) { return (z * side + y) * side + x; };
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const int here = index(x, y, z);
        matrix(here, here) = 6.0;
        if (x > 0)
          matrix(here, index(x - 1, y, z)) = matrix(index(x - 1, y, z), here) = -1.0;
        if (y > 0)
          matrix(here, index(x, y - 1, z)) = matrix(index(x, y - 1, z), here) = -1.0;
        if (z > 0)
          matrix(here, index(x, y, z - 1)) = matrix(index(x, y, z - 1), here) = -1.0;
      }
  return matrix;
}

TEST(multisplitting_problem, has_the_least_eigenvalue_of_the_matrix) {
  for (int side = 1; side <= 5; ++side) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(laplacian(side));
    EXPECT_NEAR(Problem{static_cast<std::uint32_t>(side)}.least_eigenvalue(),
                solver.eigenvalues().minCoeff(), 1e-12);
  }
}

TEST(multisplitting_problem, has_the_known_solution) {
  constexpr std::uint32_t side = 5;
  const Problem problem{side};
  VectorXd solution(side * side * side);
  VectorXd right(side * side * side);
  Eigen::Index i = 0;
  for (std::uint32_t z = 1; z <= side; ++z)
    for (std::uint32_t y = 1; y <= side; ++y)
      for (std::uint32_t x = 1; x <= side; ++x, ++i) {
        solution[i] = problem.solution(x, y, z);
        right[i] = problem.right_hand_side(x, y, z);
      }
  EXPECT_LE((laplacian(side) * solution - right).norm(), problem.rounding());
  EXPECT_LE(solution.maxCoeff(), Problem::largest_value);
}

/// Values of a field of the whole cube in a box of it, x fastest.
std::vector<double> box_of(const VectorXd& field, std::uint32_t side, Range rows, Range planes) {
  std::vector<double> box;
  for (std::uint32_t z = planes.begin; z < planes.end; ++z)
    for (std::uint32_t y = rows.begin; y < rows.end; ++y)
      for (std::uint32_t x = 0; x < side; ++x)
        box.push_back(field[(z * side + y) * side + x]);
  return box;
}

TEST(block, applies_its_rows_of_the_matrix_wherever_it_lies) {
  std::mt19937 random(4);
  for (std::uint32_t side = 1; side <= 5; ++side) {
    const VectorXd field = random_vector(static_cast<int>(side * side * side), random);
    const VectorXd image = laplacian(static_cast<int>(side)) * field;
    for (std::uint32_t parts = 1; parts <= side; ++parts)
      for (std::uint32_t part = 0; part < parts; ++part) {
        const Range rows = part_of({0, side}, parts, part);
        const Range planes = part_of({0, side}, parts, parts - 1 - part);
        const Block block(side, rows, planes);
        // At the edge of the cube there is no neighbour.
        const auto beside = [&](bool exists, Range its_rows, Range its_planes) {
          return exists ? box_of(field, side, its_rows, its_planes) : std::vector<double>();
        };
        const auto south = beside(rows.begin > 0, {rows.begin - 1, rows.begin}, planes);
        const auto north = beside(rows.end < side, {rows.end, rows.end + 1}, planes);
        const auto below = beside(planes.begin > 0, rows, {planes.begin - 1, planes.begin});
        const auto above = beside(planes.end < side, rows, {planes.end, planes.end + 1});
        std::vector<double> result(block.points());
        block.apply(box_of(field, side, rows, planes),
                    {.south = south, .north = north, .below = below, .above = above}, result);
        const auto expected = box_of(image, side, rows, planes);
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_NEAR(result[i], expected[i], 1e-13);
      }
  }
}

TEST(partition, gives_each_point_to_one_rank_and_links_those_that_touch) {
  constexpr std::uint32_t side = 11;
  for (int ranks = 1; ranks <= 12; ++ranks)
    for (int clusters = std::max(1, ranks / 11); clusters <= std::min(ranks, 11); ++clusters) {
      if ((ranks + clusters - 1) / clusters > static_cast<int>(side))
        continue;
      const Partition partition(side, ranks, clusters);
      std::vector<int> owner(side * side, -1); // of rows and planes
      std::size_t points = 0;
      for (int rank = 0; rank < ranks; ++rank)
        for (std::uint32_t y = partition.rows_of(rank).begin; y < partition.rows_of(rank).end;
             ++y) {
          const Range planes = partition.planes_of(partition.cluster_of(rank));
          for (std::uint32_t z = planes.begin; z < planes.end; ++z, ++points)
            owner[z * side + y] = rank;
        }
      ASSERT_EQ(points, side * side);
      for (int rank = 0; rank < ranks; ++rank) {
        const Range planes = partition.planes_of(partition.cluster_of(rank));
        std::size_t linked = 0;
        for (const Link& link : partition.links_of(rank)) {
          const std::uint32_t plane = link.is_above ? planes.end : planes.begin - 1;
          ASSERT_LT(plane, side);
          for (std::uint32_t y = link.rows.begin; y < link.rows.end; ++y, ++linked)
            EXPECT_EQ(owner[plane * side + y], link.peer);
        }
        const std::size_t sides = (planes.begin > 0 ? 1U : 0U) + (planes.end < side ? 1U : 0U);
        EXPECT_EQ(linked, sides * partition.rows_of(rank).size());
      }
    }
}

TEST(multisplitting_options, are_read_with_and_without_equals_sign) {
  const Options options = read_options({"--grid=30", "--clusters", "3", "--outer", "async",
                                        "--restart", "7", "--cycles=2", "--inner-tolerance=0.5",
                                        "--tolerance", "1e-4", "--limit", "9", "--disturb=5"});
  EXPECT_EQ(options.error, "");
  EXPECT_EQ(options.side, 30U);
  EXPECT_EQ(options.clusters, 3);
  EXPECT_TRUE(options.is_asynchronous);
  EXPECT_EQ(options.restart, 7);
  EXPECT_EQ(options.cycles, 2);
  EXPECT_EQ(options.inner_tolerance, 0.5);
  EXPECT_EQ(options.tolerance, 1e-4);
  EXPECT_EQ(options.limit, 9);
  EXPECT_EQ(options.disturbance, 5U);
}

TEST(multisplitting_options, that_make_no_sense_are_refused_with_what_would) {
  const std::vector<std::vector<std::string_view>> senseless = {
      {"--grid", "0"},           {"--grid", "12x"},    {"--grid", "-3"},     {"--grid"},
      {"--clusters=0"},          {"--outer", "maybe"}, {"--restart", "1.5"}, {"--cycles", ""},
      {"--inner-tolerance=nan"}, {"--tolerance", "0"}, {"--tolerance=inf"},  {"--limit", "1e9"},
      {"--limit=99999999999"},   {"--class", "Q"},     {"--disturb", "3"},   {"--nonsense", "1"},
  };
  for (const auto& arguments : senseless) {
    const Options options = read_options(arguments);
    EXPECT_NE(options.error.find("; try: "), std::string::npos)
        << arguments.front() << ": " << options.error;
  }
}

} // namespace
} // namespace apps::multisplitting
