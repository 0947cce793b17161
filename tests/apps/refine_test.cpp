#include "refine/plans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace apps::refine {
namespace {

constexpr unsigned finest_level = 3;
constexpr std::uint32_t roots = 4;
constexpr std::uint32_t cells = 8;

/// Adapted several times by wishes drawn with this seed.
Mesh random_mesh(unsigned seed) {
  std::mt19937 random(seed);
  Mesh mesh(roots, finest_level);
  for (int time = 0; time < 6; ++time) {
    std::vector<int> wishes;
    for (std::size_t i = 0; i < mesh.size(); ++i)
      wishes.push_back(static_cast<int>(random() % 3) - 1);
    mesh = mesh.adapted(wishes);
  }
  return mesh;
}

double area(const Leaf& leaf) { return std::ldexp(1.0, -2 * static_cast<int>(leaf.level)); }

std::vector<Block> random_blocks(const Mesh& mesh, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Block> blocks(mesh.size(), Block(cells));
  for (Block& block : blocks)
    for (std::size_t y = 1; y <= cells; ++y)
      for (std::size_t x = 1; x <= cells; ++x)
        block.at(x, y) = std::uniform_real_distribution<>(0.0, 1.0)(random);
  return blocks;
}

double mass(const Mesh& mesh, const std::vector<Block>& blocks) {
  double sum = 0.0;
  for (std::size_t i = 0; i < mesh.size(); ++i)
    sum += area(mesh[i]) * blocks[i].sums()[0];
  return sum;
}

/// Does what the messages do.
template <typename Copy>
void do_copies(const std::vector<Copy>& copies, const std::vector<Block>& from,
               std::vector<Block>& to) {
  for (const Copy& copy : copies) {
    std::vector<double> values(copy.count(cells));
    copy.pack(from[copy.from], values);
    copy.unpack(values, to[copy.to]);
  }
}

class RefineMesh : public testing::TestWithParam<unsigned> {};

TEST_P(RefineMesh, covers_the_square_once_in_the_order_of_the_curve) {
  const Mesh mesh = random_mesh(GetParam());
  double covered = 0.0;
  for (std::size_t i = 0; i < mesh.size(); ++i) {
    covered += area(mesh[i]);
    EXPECT_EQ(mesh.find(mesh[i]), i);
  }
  EXPECT_EQ(covered, 1.0 * roots * roots);
}

TEST_P(RefineMesh, neighbours_are_mutual_and_differ_by_one_level_at_most) {
  const Mesh mesh = random_mesh(GetParam());
  const std::map<Side, Side> opposite = {{Side::west, Side::east},
                                         {Side::east, Side::west},
                                         {Side::south, Side::north},
                                         {Side::north, Side::south}};
  for (std::size_t i = 0; i < mesh.size(); ++i)
    for (const auto& [side, other] : opposite)
      for (const std::size_t there : mesh.beyond(i, side)) {
        EXPECT_LE(std::max(mesh[i].level, mesh[there].level) -
                      std::min(mesh[i].level, mesh[there].level),
                  1u);
        EXPECT_EQ(std::ranges::count(mesh.beyond(there, other), i), 1);
      }
}

TEST_P(RefineMesh, ranks_share_its_blocks_in_equal_pieces) {
  const Mesh mesh = random_mesh(GetParam());
  for (std::size_t ranks = 1; ranks <= 16; ++ranks)
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::size_t begin = mesh.first_of(rank, ranks);
      const std::size_t end = mesh.first_of(rank + 1, ranks);
      EXPECT_LE(end - begin, mesh.size() / ranks + 1);
      for (std::size_t i = begin; i < end; ++i)
        EXPECT_EQ(mesh.owner(i, ranks), rank);
    }
}

TEST_P(RefineMesh, a_time_step_conserves_the_mass_and_makes_no_new_extremes) {
  const Mesh mesh = random_mesh(GetParam());
  auto blocks = random_blocks(mesh, GetParam());
  const double before = mass(mesh, blocks);
  const double step = std::ldexp(0.25, -static_cast<int>(finest_level));
  for (const auto& [x, y] : {std::pair(1.0, 0.5), {-1.0, 0.25}, {0.5, -1.0}, {-0.5, -0.5}}) {
    do_copies(ghost_copies(mesh), blocks, blocks);
    for (std::size_t i = 0; i < mesh.size(); ++i) {
      const double courant = std::ldexp(step, static_cast<int>(mesh[i].level));
      blocks[i].advance({x * courant, y * courant});
      EXPECT_GE(blocks[i].extent().least, 0.0);
      EXPECT_LE(blocks[i].extent().largest, 1.0);
    }
  }
  EXPECT_NEAR(mass(mesh, blocks), before, 1e-12 * before);
}

TEST_P(RefineMesh, adaptation_conserves_the_mass_and_fills_every_block) {
  const Mesh mesh = random_mesh(GetParam());
  const auto blocks = random_blocks(mesh, GetParam());
  std::mt19937 random(GetParam());
  std::vector<int> wishes;
  for (std::size_t i = 0; i < mesh.size(); ++i)
    wishes.push_back(static_cast<int>(random() % 3) - 1);
  const Mesh next = mesh.adapted(wishes);
  std::vector<Block> adapted(next.size(), Block(cells));
  do_copies(cell_copies(mesh, next), blocks, adapted);
  EXPECT_NEAR(mass(next, adapted), mass(mesh, blocks), 1e-12 * mass(mesh, blocks));
  for (const Block& block : adapted)
    EXPECT_GT(block.extent().least, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RefineMesh, testing::Range(1U, 9U));

TEST(RefineMeshWish, four_blocks_become_one_only_together) {
  Mesh mesh(roots, finest_level);
  std::vector<int> wishes(mesh.size(), 0);
  wishes[5] = 1;
  mesh = mesh.adapted(wishes);
  ASSERT_EQ(mesh.size(), std::size_t{roots} * roots + 3);
  wishes.assign(mesh.size(), 0);
  wishes[5] = wishes[6] = wishes[7] = -1;
  EXPECT_TRUE(std::ranges::equal(mesh.adapted(wishes).leaves(), mesh.leaves()));
  wishes[8] = -1;
  EXPECT_TRUE(
      std::ranges::equal(mesh.adapted(wishes).leaves(), Mesh(roots, finest_level).leaves()));
}

TEST(RefineStep, is_the_same_in_one_block_and_in_four) {
  const Mesh one(1, 0);
  const Mesh four(2, 0);
  std::vector<Block> whole(1, Block(2 * cells));
  std::vector<Block> parts(4, Block(cells));
  std::mt19937 random(1);
  const auto part = [&](std::size_t x, std::size_t y) -> double& {
    const std::uint32_t column = x > cells ? 1 : 0;
    const std::uint32_t row = y > cells ? 1 : 0;
    return parts[four.find({0, column, row})].at(x - column * cells, y - row * cells);
  };
  for (std::size_t y = 1; y <= 2 * cells; ++y)
    for (std::size_t x = 1; x <= 2 * cells; ++x)
      part(x, y) = whole[0].at(x, y) = std::uniform_real_distribution<>(0.0, 1.0)(random);
  for (int step = 0; step < 5; ++step) {
    for (const auto& copy : ghost_copies(one)) {
      std::vector<double> values(2 * cells);
      copy.pack(whole[0], values);
      copy.unpack(values, whole[0]);
    }
    do_copies(ghost_copies(four), parts, parts);
    whole[0].advance({0.25, -0.25});
    for (Block& block : parts)
      block.advance({0.25, -0.25});
  }
  for (std::size_t y = 1; y <= 2 * cells; ++y)
    for (std::size_t x = 1; x <= 2 * cells; ++x)
      EXPECT_EQ(part(x, y), whole[0].at(x, y));
}

} // namespace
} // namespace apps::refine
