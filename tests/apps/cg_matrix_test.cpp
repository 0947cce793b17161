#include "cg/matrix.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace apps::cg {
namespace {

using Entries = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

void collect(const Matrix& matrix, Range rows, Range columns, Entries& entries) {
  for (std::uint32_t row = 0; row < rows.size(); ++row)
    for (std::size_t k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k) {
      const auto place = std::pair(rows.begin + row, columns.begin + matrix.column[k]);
      ASSERT_TRUE(entries.emplace(place, matrix.value[k]).second) << "an entry occurs twice";
    }
}

Entries whole_matrix() {
  const auto& problem = problem_of_class('S');
  Entries entries;
  collect(make_matrix(problem, {0, problem.n}, {0, problem.n}), {0, problem.n}, {0, problem.n},
          entries);
  return entries;
}

TEST(CgMatrix, is_symmetric) {
  const Entries entries = whole_matrix();
  for (const auto& [place, value] : entries)
    ASSERT_NEAR(entries.at({place.second, place.first}), value, 1e-12);
}

TEST(CgMatrix, the_blocks_of_the_ranks_make_up_the_whole) {
  const auto& problem = problem_of_class('S');
  Entries pieced;
  for (int rank = 0; rank < 8; ++rank) {
    const Grid grid(rank, 8, problem.n);
    collect(make_matrix(problem, grid.rows, grid.columns), grid.rows, grid.columns, pieced);
  }
  EXPECT_EQ(pieced, whole_matrix());
}

TEST(CgMatrix, multiplies_as_its_entries_say) {
  const auto& problem = problem_of_class('S');
  const Grid grid(5, 8, problem.n);
  const Matrix matrix = make_matrix(problem, grid.rows, grid.columns);
  std::vector<double> x(grid.columns.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 1.0 + static_cast<double>(i) / 8.0;
  std::vector<double> product(grid.rows.size(), -1.0);
  matrix.multiply(x, product);
  for (std::size_t row = 0; row < product.size(); ++row) {
    double expected = 0.0;
    for (std::size_t k = matrix.row_begin[row]; k < matrix.row_begin[row + 1]; ++k)
      expected += matrix.value[k] * x[matrix.column[k]];
    ASSERT_NEAR(product[row], expected, 1e-9);
  }
}

} // namespace
} // namespace apps::cg
