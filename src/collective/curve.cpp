#include "collective/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hypermile::collective {
namespace {

double chi_squared(const Line& line, std::span<const Sample> samples) {
  double sum = 0;
  for (const Sample& sample : samples) {
    const double off = (fitted(line, sample.terms) / sample.time_s - 1) / sample.relative;
    sum += off * off;
  }
  return sum;
}

/// Weighted sums over the samples of products of start/time, transfer/time and 1.
struct Sums {
  double ss = 0;
  double st = 0;
  double tt = 0;
  double s = 0;
  double t = 0;
};

Sums sums_of(std::span<const Sample> samples) {
  Sums sums;
  for (const Sample& sample : samples) {
    const double weight = 1 / (sample.relative * sample.relative);
    const double start = sample.terms.start / sample.time_s;
    const double transfer = sample.terms.transfer_b / sample.time_s;
    sums.ss += weight * start * start;
    sums.st += weight * start * transfer;
    sums.tt += weight * transfer * transfer;
    sums.s += weight * start;
    sums.t += weight * transfer;
  }
  return sums;
}

/// The first segment goes over all p - 1 steps, the others follow it; the last one is what is left.
double pipeline_transfer_b(double size_b, std::size_t segment_b, double c, double p) {
  const double whole = segment_b == 0 ? size_b : std::min(size_b, static_cast<double>(segment_b));
  return (c + p - 3) * whole + (size_b - (c - 1) * whole);
}

} // namespace

Terms terms_of(Form form, double size_b, std::size_t segment_b, std::size_t processes) {
  const auto p = static_cast<double>(processes);
  const double steps = std::ceil(std::log2(p));
  const double c =
      segment_b == 0 ? 1 : std::max(1.0, std::ceil(size_b / static_cast<double>(segment_b)));
  switch (form) {
  case Form::line:
    return {1, size_b};
  case Form::pipeline:
    return {c + p - 2, pipeline_transfer_b(size_b, segment_b, c, p)};
  case Form::ring:
    return {p - 1, (p - 1) / p * size_b};
  case Form::steps:
    return {p - 1, (p - 1) * size_b};
  case Form::doubling:
    return {steps, steps * size_b};
  case Form::halving:
    return {steps, (p - 1) / p * size_b};
  case Form::collecting:
    return {steps, (p - 1) * size_b};
  case Form::exchange:
    return {steps, steps * p / 2 * size_b};
  case Form::paper_sag:
    return {2 * (p - 1) / p, 2 * (p - 1) / p * size_b};
  case Form::paper_pipeline:
    return {(c + p - 2) / c, (c + p - 2) / c * size_b};
  }
  return {1, size_b};
}

double alike_size_b(Form form, double size_b, std::size_t processes, std::size_t others) {
  return form == Form::ring ? size_b * static_cast<double>(others) / static_cast<double>(processes)
                            : size_b;
}

double fitted(const Line& line, const Terms& terms) {
  return line.start_s * terms.start + line.per_byte_s * terms.transfer_b;
}

/// A square sum of two variables is convex: where its least value has a negative one, the least
/// value without negative ones lies where one of them is 0.
Line fit_line(std::span<const Sample> samples) {
  const Sums sums = sums_of(samples);
  const std::array candidates{Line{0, sums.tt > 0 ? sums.t / sums.tt : 0},
                              Line{sums.ss > 0 ? sums.s / sums.ss : 0, 0}};
  const double determinant = sums.ss * sums.tt - sums.st * sums.st;
  if (determinant > 1e-12 * sums.ss * sums.tt) {
    const Line both{(sums.s * sums.tt - sums.t * sums.st) / determinant,
                    (sums.t * sums.ss - sums.s * sums.st) / determinant};
    if (both.start_s >= 0 && both.per_byte_s >= 0)
      return both;
  }
  return chi_squared(candidates[0], samples) <= chi_squared(candidates[1], samples) ? candidates[0]
                                                                                    : candidates[1];
}

std::vector<Piece> cut_into_pieces(std::span<const Sample> samples) {
  const std::size_t n = samples.size();
  if (n < 4)
    return {{0, n - 1, fit_line(samples)}};
  const double price = 3 * std::log(static_cast<double>(n));
  // Of the first k samples: the least cost, and where their last piece begins.
  std::vector<double> cost(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begin(n + 1, 0);
  cost[0] = -price;
  for (std::size_t end = 2; end <= n; ++end)
    for (std::size_t first = 0; first + 2 <= end; ++first) {
      if (std::isinf(cost[first]))
        continue;
      const auto part = samples.subspan(first, end - first);
      const double total = cost[first] + price + chi_squared(fit_line(part), part);
      if (total < cost[end]) {
        cost[end] = total;
        begin[end] = first;
      }
    }
  std::vector<Piece> pieces;
  for (std::size_t end = n; end > 0; end = begin[end])
    pieces.push_back(
        {begin[end], end - 1, fit_line(samples.subspan(begin[end], end - begin[end]))});
  std::ranges::reverse(pieces);
  return pieces;
}

Place place_of(std::span<const Piece> pieces, std::span<const Sample> samples, double size_b) {
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const double end = samples[pieces[i].last].size_b;
    const double begin = samples[pieces[i + 1].first].size_b;
    if (size_b <= end)
      return {i, 0};
    if (size_b < begin)
      return {i, (size_b - end) / (begin - end)};
  }
  return {pieces.size() - 1, 0};
}

} // namespace hypermile::collective
