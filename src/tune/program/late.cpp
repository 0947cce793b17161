#include "tune/program/late.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::tune {
namespace {

/// How long a rank waits for the last one to come, by what was drawn: the mean of all ranks.
double drawn_wait_s(const Lateness& lateness, std::size_t repetition, int ranks) {
  double last_s = 0;
  double sum_s = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const double its_s = lateness.of(repetition, rank);
    last_s = std::max(last_s, its_s);
    sum_s += its_s;
  }
  return last_s - sum_s / ranks;
}

} // namespace

double Lateness::of(std::size_t repetition, int rank) const {
  constexpr std::uint64_t operations_per_pass = 1000;
  return lateness_s(arrival, seed, pass * operations_per_pass + repetition,
                    static_cast<std::uint64_t>(rank));
}

Repetitions::Repetitions(const collective::Arrival& arrival, double cell_s)
    : most(400), longest_s(cell_s) {
  constexpr double patience = 5;
  if (arrival.kind == collective::Arrival::Kind::together)
    return;
  most = std::clamp(static_cast<std::size_t>(cell_s / usual_last_s(arrival)), least, most);
  longest_s = patience * cell_s;
}

bool Repetitions::enough(std::size_t done, double passed_s) const {
  return done % least == 0 && (done >= most || passed_s >= longest_s);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double inside_s(const Lateness& lateness, int ranks, std::vector<double> after_last_s) {
  constexpr double least_s = 1e-9;
  double wait_s = 0;
  for (std::size_t i = 0; i < after_last_s.size(); ++i)
    wait_s += drawn_wait_s(lateness, i, ranks) / static_cast<double>(after_last_s.size());
  return std::max(wait_s + median(std::move(after_last_s)), least_s);
}

} // namespace hypermile::tune
