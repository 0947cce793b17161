#include "cg/generators.hpp"

#include "kernels/lcg46.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace apps::cg {
namespace {

using hypermile::kernels::Lcg46;

struct Entry {
  std::uint32_t index;
  double value;
};

/// Draws the sparse random vectors one after another.
class VectorStream {
public:
  explicit VectorStream(const Problem& problem)
      : n_(problem.n), nonzer_(problem.nonzer),
        shift_(Lcg46::bits - static_cast<unsigned>(std::bit_width(problem.n - 1))),
        state_(Lcg46::step(314159265, Lcg46::multiplier)) {}

  /// Vector `i`: `nonzer` random entries at different places, then 1/2 at place i.
  std::span<const Entry> next(std::uint32_t i) {
    std::size_t count = 0;
    while (count < nonzer_) {
      const std::uint64_t before = state_;
      state_ = Lcg46::step(before, two_draws);
      const auto place = static_cast<std::uint32_t>(state_ >> shift_);
      if (place < n_ && find(place, count) == count)
        entries_[count++] = {place, Lcg46::to_unit(Lcg46::step(before, Lcg46::multiplier))};
    }
    const std::size_t diagonal = find(i, count);
    entries_[diagonal] = {i, 0.5};
    return std::span(entries_).first(std::max(count, diagonal + 1));
  }

private:
  // Each entry takes two draws, the value and the place; a value is worked out only
  // where the place is good.
  static constexpr std::uint64_t two_draws = Lcg46::power(2);

  [[nodiscard]] std::size_t find(std::uint32_t place, std::size_t count) const {
    std::size_t k = 0;
    while (k < count && entries_[k].index != place)
      ++k;
    return k;
  }

  std::uint32_t n_;
  std::size_t nonzer_;
  unsigned shift_;
  std::uint64_t state_;
  std::array<Entry, 16> entries_{};
};

/// The entries that lie in one range, with indices local to it.
class Filter {
public:
  explicit Filter(Range range) : range_(range) {}

  std::span<const Entry> operator()(std::span<const Entry> entries) {
    std::size_t count = 0;
    for (const Entry& entry : entries) { // no branch that cannot be predicted
      kept_[count] = {entry.index - range_.begin, entry.value};
      count += range_.contains(entry.index) ? 1 : 0;
    }
    return std::span(kept_).first(count);
  }

private:
  Range range_;
  std::array<Entry, 16> kept_{};
};

struct Triple {
  std::uint32_t row;
  Generators::RowEntry entry;
};

/// Orders the entries by row, keeping the order of the vectors within a row.
void compress_rows(const std::vector<Triple>& triples, std::uint32_t rows, Generators& result) {
  result.row_begin.assign(rows + std::size_t{1}, 0);
  for (const Triple& triple : triples)
    ++result.row_begin[triple.row + std::size_t{1}];
  for (std::size_t row = 0; row < rows; ++row)
    result.row_begin[row + 1] += result.row_begin[row];
  result.row_entries.resize(triples.size());
  std::vector<std::size_t> next(result.row_begin.begin(), result.row_begin.end() - 1);
  for (const Triple& triple : triples)
    result.row_entries[next[triple.row]++] = triple.entry;
}

} // namespace

Generators draw_generators(const Problem& problem, Range rows, Range columns) {
  Generators result;
  result.vector_begin.push_back(0);
  std::vector<Triple> triples;
  VectorStream stream(problem);
  Filter in_rows(rows);
  Filter in_columns(columns);
  const double ratio = std::pow(Problem::rcond, 1.0 / problem.n);
  double weight = 1.0;
  for (std::uint32_t i = 0; i < problem.n; ++i, weight *= ratio) {
    const auto entries = stream.next(i);
    const auto row_part = in_rows(entries);
    const auto column_part = in_columns(entries);
    if (row_part.empty() || column_part.empty())
      continue;
    const auto vector = static_cast<std::uint32_t>(result.vector_begin.size() - 1);
    for (const auto& [row, value] : row_part)
      triples.push_back({row, {vector, weight * value}});
    for (const auto& [column, value] : column_part)
      result.column_entries.push_back({column, value});
    result.vector_begin.push_back(result.column_entries.size());
  }
  compress_rows(triples, rows.size(), result);
  return result;
}

} // namespace apps::cg
