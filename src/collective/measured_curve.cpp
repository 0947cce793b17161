#include "collective/measured_curve.hpp"

#include "collective/order_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::collective {
namespace {

/// Below this, differences between passes are not believed.
constexpr double least_spread = 0.01;
/// What a line may miss of times without spread before it is cut.
constexpr double least_exact_spread = 0.001;

template <class Quantity> std::vector<double> numbers(const std::vector<Quantity>& values) {
  std::vector<double> raw;
  for (const Quantity value : values)
    raw.push_back(value.value());
  return raw;
}

double mixed(double a, double b, double share) { return std::max(0.0, a + (b - a) * share); }

Line mixed(const Line& a, const Line& b, double share) {
  return {mixed(a.start_s, b.start_s, share), mixed(a.per_byte_s, b.per_byte_s, share)};
}

} // namespace

double deviation(const std::vector<double>& values) {
  if (values.size() < 2)
    return 0;
  double mean = 0;
  for (const double value : values)
    mean += value / static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values)
    sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

Local mixed(const Local& a, const Local& b, double share) {
  Local local{.line = mixed(a.line, b.line, share),
              .passes = {},
              .node_power_w = {},
              .misfit = std::max(a.misfit, b.misfit)};
  for (std::size_t i = 0; i < std::min(a.passes.size(), b.passes.size()); ++i)
    local.passes.push_back(mixed(a.passes[i], b.passes[i], share));
  for (std::size_t i = 0; i < std::min(a.node_power_w.size(), b.node_power_w.size()); ++i)
    local.node_power_w.push_back(mixed(a.node_power_w[i], b.node_power_w[i], share));
  return local;
}

MeasuredCurve::MeasuredCurve(std::vector<const Cell*> cells, std::vector<Seconds> Cell::*times,
                             Form form, const Measured& measured, bool exact)
    : nodes_(measured.nodes), processes_per_node_(measured.processes_per_node) {
  std::ranges::sort(cells, {}, &Cell::size_b);
  for (const Cell* const cell : cells) {
    const auto times_s = numbers(cell->*times);
    const double middle = median(times_s);
    const auto count = static_cast<double>(times_s.size());
    const double spread = deviation(times_s) / middle / std::sqrt(count);
    const auto size_b = static_cast<double>(cell->size_b);
    samples_.push_back(
        {terms_of(form, size_b, cell->variant.segment_b, nodes_ * processes_per_node_), size_b,
         middle, std::max(spread, exact ? least_exact_spread : least_spread)});
    times_s_.push_back(times_s);
    powers_w_.push_back(numbers(cell->powers));
    for (double& power_w : powers_w_.back())
      power_w /= static_cast<double>(nodes_);
  }
  if (form == Form::paper_sag || form == Form::paper_pipeline)
    pieces_ = {{0, samples_.size() - 1, fit_line(samples_)}};
  else
    pieces_ = cut_into_pieces(samples_);
}

Local MeasuredCurve::piece(std::size_t index) const {
  const Piece& cut = pieces_[index];
  const std::vector<Sample> part(samples_.begin() + static_cast<std::ptrdiff_t>(cut.first),
                                 samples_.begin() + static_cast<std::ptrdiff_t>(cut.last) + 1);
  Local local{.line = cut.line, .passes = {}, .node_power_w = {}};
  std::size_t passes = times_s_[cut.first].size();
  double sum = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    passes = std::min(passes, times_s_[cut.first + i].size());
    sum += std::pow(fitted(cut.line, part[i].terms) / part[i].time_s - 1, 2);
  }
  local.misfit = std::sqrt(sum / static_cast<double>(part.size()));
  for (std::size_t pass = 0; pass < passes; ++pass) {
    auto of_pass = part;
    for (std::size_t i = 0; i < part.size(); ++i)
      of_pass[i].time_s = times_s_[cut.first + i][pass];
    local.passes.push_back(fit_line(of_pass));
  }
  return local;
}

/// Linear in the logarithm of the size between two that were measured; beyond, as at the last.
std::vector<double> MeasuredCurve::powers_at(double size_b) const {
  std::size_t next = 0;
  while (next < samples_.size() && samples_[next].size_b < size_b)
    ++next;
  if (next == 0 || next == samples_.size())
    return powers_w_[next == 0 ? 0 : next - 1];
  const double share = std::log(size_b / samples_[next - 1].size_b) /
                       std::log(samples_[next].size_b / samples_[next - 1].size_b);
  std::vector<double> powers_w;
  const auto& before = powers_w_[next - 1];
  const auto& after = powers_w_[next];
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
    powers_w.push_back(mixed(before[i], after[i], share));
  return powers_w;
}

Local MeasuredCurve::at(double size_b) const {
  const Place place = place_of(pieces_, samples_, size_b);
  Local local = piece(place.index);
  if (place.next > 0)
    local = mixed(local, piece(place.index + 1), place.next);
  local.node_power_w = powers_at(size_b);
  return local;
}

} // namespace hypermile::collective
