#include "common/tree_place.hpp"
#include "tree/matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace apps::tree {
namespace {

TEST(AppTreePlace, every_rank_but_the_root_is_a_child_of_its_parent) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    EXPECT_FALSE(tree_place(0, ranks).parent);
    for (int rank = 1; rank < ranks; ++rank) {
      const auto parent = tree_place(rank, ranks).parent;
      ASSERT_TRUE(parent);
      EXPECT_EQ(std::ranges::count(tree_place(*parent, ranks).children, rank), 1);
    }
  }
}

TEST(AppTreePlace, the_tree_has_as_many_links_as_it_must_and_is_no_deeper_than_it_may) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    std::size_t links = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      links += tree_place(rank, ranks).children.size();
      int depth = 0;
      for (auto at = tree_place(rank, ranks).parent; at; at = tree_place(*at, ranks).parent)
        ++depth;
      EXPECT_LE(depth, std::bit_width(static_cast<unsigned>(ranks - 1)));
    }
    EXPECT_EQ(links, static_cast<std::size_t>(ranks - 1));
  }
}

TEST(AppTreePlace, a_subtree_is_a_rank_and_the_subtrees_of_its_children_one_after_the_other) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    EXPECT_EQ(tree_place(0, ranks).end, ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      int end = rank + 1;
      for (const int child : tree_place(rank, ranks).children) {
        EXPECT_EQ(child, end);
        end = tree_place(child, ranks).end;
      }
      EXPECT_EQ(tree_place(rank, ranks).end, end);
    }
  }
}

TEST(AppSpectrum, its_matrix_is_symmetric_and_its_powers_are_what_it_says) {
  constexpr std::uint32_t order = 30;
  const Spectrum spectrum(order);
  const Columns columns(spectrum, {0, order});
  auto x = spectrum.power_vector(0);
  for (const double value : x)
    EXPECT_NEAR(value, 1.0 / std::sqrt(order), 1e-15);
  std::vector<double> product(order);
  for (int iteration = 1; iteration <= 5; ++iteration) {
    columns.multiply(x, product);
    double quotient = 0.0;
    double square = 0.0;
    for (std::size_t i = 0; i < order; ++i) {
      quotient += x[i] * product[i];
      square += product[i] * product[i];
    }
    EXPECT_NEAR(quotient, spectrum.rayleigh_quotient(iteration - 1), 1e-14);
    for (std::size_t i = 0; i < order; ++i)
      x[i] = product[i] / std::sqrt(square);
    const auto expected = spectrum.power_vector(iteration);
    for (std::size_t i = 0; i < order; ++i)
      EXPECT_NEAR(x[i], expected[i], spectrum.rounding_bound(iteration));
  }
  for (std::size_t i = 0; i < order; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_EQ(spectrum.entry(i, j), spectrum.entry(j, i));
}

TEST(AppSpectrum, the_columns_of_the_ranks_make_up_the_product) {
  constexpr std::uint32_t order = 30;
  const Spectrum spectrum(order);
  const auto x = spectrum.power_vector(2);
  std::vector<double> whole(order);
  Columns(spectrum, {0, order}).multiply(x, whole);
  std::vector<double> left(order);
  std::vector<double> right(order);
  Columns(spectrum, {0, 11}).multiply(x, left);
  Columns(spectrum, {11, order}).multiply(x, right);
  for (std::size_t i = 0; i < order; ++i)
    EXPECT_NEAR(left[i] + right[i], whole[i], 1e-15);
}

} // namespace
} // namespace apps::tree
