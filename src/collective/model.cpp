#include "collective/model.hpp"

#include "collective/measured_curve.hpp"
#include "collective/student.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace hypermile::collective {
namespace {

struct Neighbours {
  std::size_t low;
  std::size_t high;
  double share;
};

/// Between which two of these ascending values x lies; beyond them, the last two.
Neighbours neighbours(const std::vector<double>& values, double x) {
  if (values.size() == 1)
    return {0, 0, 0};
  std::size_t high = 1;
  while (high + 1 < values.size() && values[high] < x)
    ++high;
  return {high - 1, high, (x - values[high - 1]) / (values[high] - values[high - 1])};
}

bool outside(const std::vector<double>& values, double x) {
  return x < values.front() || x > values.back();
}

} // namespace

struct Model::Fitted {
  Variant variant{};
  Form form = Form::line;
  /// By processes per node, by nodes.
  std::map<std::size_t, std::map<std::size_t, MeasuredCurve>> curves{};

  [[nodiscard]] Local at(const Question& question, std::string& extrapolated) const;
  [[nodiscard]] Local along_nodes(const std::map<std::size_t, MeasuredCurve>& by_nodes,
                                  const Question& question, std::string& extrapolated) const;
  [[nodiscard]] Estimate estimate(const Question& question) const;
};

Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

Local Model::Fitted::along_nodes(const std::map<std::size_t, MeasuredCurve>& by_nodes,
                                 const Question& question, std::string& extrapolated) const {
  const auto size_b = static_cast<double>(question.size_b);
  std::vector<double> axis;
  std::vector<const MeasuredCurve*> along;
  for (const auto& [nodes, curve] : by_nodes) {
    axis.push_back(std::log2(static_cast<double>(nodes)));
    along.push_back(&curve);
    if (size_b < curve.smallest_b() || size_b > curve.largest_b())
      extrapolated = fmt::format("the size is outside {} to {}",
                                 size_text(static_cast<std::size_t>(curve.smallest_b())),
                                 size_text(static_cast<std::size_t>(curve.largest_b())));
  }
  const double x = std::log2(static_cast<double>(question.nodes));
  if (outside(axis, x))
    extrapolated = fmt::format("{} nodes are outside {} to {}", question.nodes,
                               by_nodes.begin()->first, by_nodes.rbegin()->first);
  const auto [low, high, share] = neighbours(axis, x);
  return low == high ? along[low]->at(size_b)
                     : mixed(along[low]->at(size_b), along[high]->at(size_b), share);
}

Local Model::Fitted::at(const Question& question, std::string& extrapolated) const {
  std::vector<double> axis;
  for (const auto& [processes, by_nodes] : curves)
    axis.push_back(static_cast<double>(processes));
  const auto x = static_cast<double>(question.processes_per_node);
  if (outside(axis, x))
    extrapolated = fmt::format("{} processes per node are outside {} to {}",
                               question.processes_per_node, axis.front(), axis.back());
  const auto [low, high, share] = neighbours(axis, x);
  const auto lower = std::next(curves.begin(), static_cast<std::ptrdiff_t>(low));
  const auto upper = std::next(curves.begin(), static_cast<std::ptrdiff_t>(high));
  if (low == high || share == 0)
    return along_nodes(lower->second, question, extrapolated);
  if (share == 1)
    return along_nodes(upper->second, question, extrapolated);
  return mixed(along_nodes(lower->second, question, extrapolated),
               along_nodes(upper->second, question, extrapolated), share);
}

namespace {

/// The interval from the values of each pass and the misfit, which are relative to the value.
template <class Quantity>
Within<Quantity> within(double value, const std::vector<double>& by_pass, double misfit) {
  Within<Quantity> result{.value = Quantity{value}};
  if (by_pass.size() < 2 || !(value > 0))
    return result;
  const auto count = static_cast<double>(by_pass.size());
  const double spread = deviation(by_pass) / value / std::sqrt(count);
  const double half = student_95(by_pass.size() - 1) * std::sqrt(spread * spread + misfit * misfit);
  result.low = Quantity{std::max(0.0, value * (1 - half))};
  result.high = Quantity{value * (1 + half)};
  return result;
}

} // namespace

/// [D13] 3.3: energy is the time times the power of all nodes and switches.
Estimate Model::Fitted::estimate(const Question& question) const {
  Estimate result{.variant = variant};
  const Local local = at(question, result.extrapolated);
  const Terms terms = terms_of(form, static_cast<double>(question.size_b), variant.segment_b,
                               question.nodes * question.processes_per_node);
  const auto messages = static_cast<double>(question.messages);
  const double time_s = fitted(local.line, terms) * messages;
  for (const Line& line : local.passes)
    result.times_s.push_back(fitted(line, terms) * messages);
  result.misfit = local.misfit;
  result.time = within<Seconds>(time_s, result.times_s, result.misfit);
  if (local.node_power_w.empty())
    return result;
  const auto all_power_w = [&](double node_power_w) {
    return node_power_w * static_cast<double>(question.nodes) +
           question.switch_power.value() * static_cast<double>(question.switches);
  };
  for (std::size_t i = 0; i < std::min(result.times_s.size(), local.node_power_w.size()); ++i)
    result.energies_j.push_back(result.times_s[i] * all_power_w(local.node_power_w[i]));
  result.energy = within<Joules>(time_s * all_power_w(median(local.node_power_w)),
                                 result.energies_j, result.misfit);
  return result;
}

namespace {

Form form_of(const Algorithm& algorithm, std::size_t segment_b, Formulas formulas) {
  const bool pipeline = algorithm.shape == Shape::pipeline && segment_b > 0;
  if (formulas == Formulas::paper)
    return pipeline ? Form::paper_pipeline : Form::paper_sag;
  return pipeline ? Form::pipeline : Form::line;
}

/// [D13] has scatter and allgather, and a pipeline of segments.
bool in_paper(const Algorithm& algorithm, std::size_t segment_b) {
  return !algorithm.paper.empty() && (algorithm.shape != Shape::pipeline || segment_b > 0);
}

} // namespace

Model::Model(const Calibration& calibration, Formulas formulas) {
  const Collective& collective = collective_named(calibration.conditions.collective);
  std::map<Variant, Fitted> variants;
  for (const Measured& measured : calibration.measured) {
    std::map<Variant, std::vector<const Cell*>> cells;
    for (const Cell& cell : measured.cells)
      if (!cell.times.empty())
        cells[cell.variant].push_back(&cell);
    for (const auto& [variant, of_variant] : cells) {
      const Algorithm* const algorithm =
          find_algorithm(collective, calibration.conditions.library, variant.algorithm);
      if (algorithm == nullptr ||
          (formulas == Formulas::paper && !in_paper(*algorithm, variant.segment_b)))
        continue;
      Fitted& fit = variants[variant];
      fit.variant = variant;
      fit.form = form_of(*algorithm, variant.segment_b, formulas);
      fit.curves[measured.processes_per_node].emplace(
          measured.nodes, MeasuredCurve(of_variant, fit.form, measured));
    }
  }
  if (variants.empty())
    throw Error(ErrorKind::model,
                formulas == Formulas::paper
                    ? "the calibration has no algorithm of the paper: scatter and allgather by a "
                      "ring, or a pipeline of segments"
                    : "the calibration has nothing that is measured",
                "hypermile bcast calibrate");
  for (auto& [variant, fit] : variants)
    variants_.push_back(std::move(fit));
}

std::vector<Estimate> Model::estimate(const Question& question) const {
  if (question.nodes * question.processes_per_node < 2)
    throw Error(ErrorKind::model, "one process has nobody to send to",
                "at least 2 processes: --nodes or --procs-per-node");
  std::vector<Estimate> estimates;
  for (const Fitted& variant : variants_)
    estimates.push_back(variant.estimate(question));
  return estimates;
}

} // namespace hypermile::collective
