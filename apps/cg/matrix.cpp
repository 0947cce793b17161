#include "cg/matrix.hpp"

#include "cg/generators.hpp"

namespace apps::cg {
namespace {

/// Sums the entries of one row at a time, by column.
class RowSum {
public:
  explicit RowSum(std::uint32_t columns) : sum_(columns, 0.0), touched_in_(columns, 0) {}

  void start_row() {
    touched_.clear();
    ++row_;
  }
  void add(std::uint32_t column, double value) {
    if (touched_in_[column] != row_) {
      touched_in_[column] = row_;
      touched_.push_back(column);
      sum_[column] = 0.0;
    }
    sum_[column] += value;
  }
  void append_to(Matrix& matrix) {
    for (const std::uint32_t column : touched_) {
      matrix.column.push_back(column);
      matrix.value.push_back(sum_[column]);
    }
  }

private:
  std::vector<double> sum_;
  std::vector<std::uint32_t> touched_in_; ///< the last row that touched this column
  std::vector<std::uint32_t> touched_;
  std::uint32_t row_ = 0;
};

/// How many products the rows sum up: a little more than the matrix has entries.
std::size_t count_products(const Generators& generators) {
  std::size_t count = 0;
  for (const auto& [vector, value] : generators.row_entries)
    count += generators.vector_begin[vector + std::size_t{1}] - generators.vector_begin[vector];
  return count;
}

void add_row(const Generators& generators, std::size_t row, RowSum& sum) {
  for (std::size_t k = generators.row_begin[row]; k < generators.row_begin[row + 1]; ++k) {
    const auto [vector, value] = generators.row_entries[k];
    const std::size_t end = generators.vector_begin[vector + std::size_t{1}];
    for (std::size_t e = generators.vector_begin[vector]; e < end; ++e)
      sum.add(generators.column_entries[e].column, value * generators.column_entries[e].value);
  }
}

} // namespace

Matrix make_matrix(const Problem& problem, Range rows, Range columns) {
  const Generators generators = draw_generators(problem, rows, columns);
  Matrix matrix;
  matrix.row_begin.reserve(rows.size() + std::size_t{1});
  matrix.row_begin.push_back(0);
  const std::size_t at_most = count_products(generators) + rows.size();
  matrix.column.reserve(at_most);
  matrix.value.reserve(at_most);

  RowSum sum(columns.size());
  for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
    sum.start_row();
    add_row(generators, row - rows.begin, sum);
    if (columns.contains(row))
      sum.add(row - columns.begin, Problem::rcond - problem.shift);
    sum.append_to(matrix);
    matrix.row_begin.push_back(matrix.column.size());
  }
  return matrix;
}

void Matrix::multiply(std::span<const double> x, std::span<double> result) const {
  for (std::size_t row = 0; row + 1 < row_begin.size(); ++row) {
    double even = 0.0; // two sums: one would wait for each addition to end
    double odd = 0.0;
    std::size_t k = row_begin[row];
    const std::size_t end = row_begin[row + 1];
    for (; k + 1 < end; k += 2) {
      even += value[k] * x[column[k]];
      odd += value[k + 1] * x[column[k + 1]];
    }
    if (k < end)
      even += value[k] * x[column[k]];
    result[row] = even + odd;
  }
}

} // namespace apps::cg
