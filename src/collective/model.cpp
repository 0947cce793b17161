#include "collective/model.hpp"

#include "collective/measured_curve.hpp"
#include "collective/order_statistics.hpp"

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
  bool exact = false;
  const Algorithm* algorithm = nullptr;
  /// By processes per node, by nodes.
  using Curves = std::map<std::size_t, std::map<std::size_t, MeasuredCurve>>;
  Curves curves{};
  /// How long processes are inside, which is what costs energy; empty: as long as it takes.
  Curves inside{};

  [[nodiscard]] Local at(const Curves& all, const Question& question,
                         std::string& extrapolated) const;
  [[nodiscard]] Local along_nodes(const std::map<std::size_t, MeasuredCurve>& by_nodes,
                                  const Question& question, std::string& extrapolated) const;
  /// Each node copies by itself: as with the most nodes up to so many that were calibrated.
  [[nodiscard]] Question alike(const Question& question) const;
  [[nodiscard]] Estimate estimate(const Question& question) const;
  [[nodiscard]] bool works_for(const Collective& collective, const Question& question) const {
    return works(collective, *algorithm, question.nodes * question.processes_per_node,
                 question.size_b, variant.segment_b);
  }
};

Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

Local Model::Fitted::along_nodes(const std::map<std::size_t, MeasuredCurve>& by_nodes,
                                 const Question& question, std::string& extrapolated) const {
  const auto size_for = [&](const MeasuredCurve& curve) {
    return alike_size_b(form, static_cast<double>(question.size_b),
                        question.nodes * question.processes_per_node, curve.processes());
  };
  std::vector<double> axis;
  std::vector<const MeasuredCurve*> along;
  for (const auto& [nodes, curve] : by_nodes) {
    axis.push_back(std::log2(static_cast<double>(nodes)));
    along.push_back(&curve);
  }
  const double x = std::log2(static_cast<double>(question.nodes));
  if (outside(axis, x))
    extrapolated = fmt::format("{} nodes are outside {} to {}", question.nodes,
                               by_nodes.begin()->first, by_nodes.rbegin()->first);
  const auto [low, high, share] = neighbours(axis, x);
  for (const MeasuredCurve* const curve : {along[low], along[high]})
    if (const double size_b = size_for(*curve);
        size_b < curve->smallest_b() || size_b > curve->largest_b())
      extrapolated = fmt::format(
          "the size is outside {} to {}{}",
          size_text(static_cast<std::size_t>(curve->smallest_b())),
          size_text(static_cast<std::size_t>(curve->largest_b())),
          form == Form::ring ? " with parts of the same size on the calibrated nodes" : "");
  const Local near = along[low]->at(size_for(*along[low]));
  return low == high ? near : mixed(near, along[high]->at(size_for(*along[high])), share);
}

Local Model::Fitted::at(const Curves& all, const Question& question,
                        std::string& extrapolated) const {
  std::vector<double> axis;
  for (const auto& [processes, by_nodes] : all)
    axis.push_back(static_cast<double>(processes));
  const auto x = static_cast<double>(question.processes_per_node);
  if (outside(axis, x))
    extrapolated = fmt::format("{} processes per node are outside {} to {}",
                               question.processes_per_node, axis.front(), axis.back());
  const auto [low, high, share] = neighbours(axis, x);
  const auto lower = std::next(all.begin(), static_cast<std::ptrdiff_t>(low));
  const auto upper = std::next(all.begin(), static_cast<std::ptrdiff_t>(high));
  if (low == high || share == 0)
    return along_nodes(lower->second, question, extrapolated);
  if (share == 1)
    return along_nodes(upper->second, question, extrapolated);
  return mixed(along_nodes(lower->second, question, extrapolated),
               along_nodes(upper->second, question, extrapolated), share);
}

namespace {

/// Each end as far away as its order statistic and the misfit, which is relative to the value, put
/// it together: never nearer than the order statistic.
template <class Quantity>
Within<Quantity> within(double value, const std::vector<double>& by_pass, double misfit,
                        bool exact) {
  constexpr double wanted = 0.95;
  constexpr double normal_95 = 1.96;
  Within<Quantity> result{.value = Quantity{value}};
  const auto passes = exact ? std::optional(MedianInterval{value, value, wanted})
                            : median_interval(by_pass, wanted);
  if (!passes || !(value > 0))
    return result;
  const double beside = normal_95 * misfit * value;
  const double below = std::hypot(std::max(0.0, value - passes->low), beside);
  const double above = std::hypot(std::max(0.0, passes->high - value), beside);
  result.low = Quantity{std::max(0.0, value - below)};
  result.high = Quantity{value + above};
  result.confidence = passes->confidence;
  return result;
}

} // namespace

Question Model::Fitted::alike(const Question& question) const {
  Question same = question;
  if (!is_copy(variant))
    return same;
  const auto& by_nodes = curves.at(question.processes_per_node);
  const auto above = by_nodes.upper_bound(question.nodes);
  same.nodes = above == by_nodes.begin() ? above->first : std::prev(above)->first;
  return same;
}

/// [D13] 3.3: energy is the time times the power of all nodes and switches. Where processes arrive
/// at different times, it is the mean of their own times.
Estimate Model::Fitted::estimate(const Question& question) const {
  Estimate result{.variant = variant, .exact = exact};
  const Question measured = alike(question);
  const Local local = at(curves, measured, result.extrapolated);
  const Local burning = inside.empty() ? local : at(inside, measured, result.extrapolated);
  const Terms terms = terms_of(form, static_cast<double>(question.size_b), variant.segment_b,
                               question.nodes * question.processes_per_node);
  const auto messages = static_cast<double>(question.messages);
  const double time_s = fitted(local.line, terms) * messages;
  for (const Line& line : local.passes)
    result.times_s.push_back(fitted(line, terms) * messages);
  result.misfit = local.misfit;
  result.time = within<Seconds>(time_s, result.times_s, result.misfit, exact);
  if (local.node_power_w.empty())
    return result;
  const auto all_power_w = [&](double node_power_w) {
    return node_power_w * static_cast<double>(question.nodes) +
           question.switch_power.value() * static_cast<double>(question.switches);
  };
  for (std::size_t i = 0; i < std::min(burning.passes.size(), local.node_power_w.size()); ++i)
    result.energies_j.push_back(fitted(burning.passes[i], terms) * messages *
                                all_power_w(local.node_power_w[i]));
  result.energy = within<Joules>(fitted(burning.line, terms) * messages *
                                     all_power_w(median(local.node_power_w)),
                                 result.energies_j, burning.misfit, exact);
  return result;
}

namespace {

Form form_of(const Algorithm& algorithm, std::size_t segment_b, Formulas formulas) {
  const bool pipeline = algorithm.shape == Shape::pipeline && segment_b > 0;
  if (formulas == Formulas::paper)
    return pipeline ? Form::paper_pipeline : Form::paper_sag;
  switch (algorithm.shape) {
  case Shape::line:
    return Form::line;
  case Shape::pipeline:
    return pipeline ? Form::pipeline : Form::line;
  case Shape::ring:
    return Form::ring;
  case Shape::steps:
    return Form::steps;
  case Shape::doubling:
    return Form::doubling;
  case Shape::halving:
    return Form::halving;
  case Shape::collecting:
    return Form::collecting;
  case Shape::exchange:
    return Form::exchange;
  }
  return Form::line;
}

/// [D13] has scatter and allgather, and a pipeline of segments.
bool in_paper(const Algorithm& algorithm, std::size_t segment_b) {
  return !algorithm.paper.empty() && (algorithm.shape != Shape::pipeline || segment_b > 0);
}

} // namespace

namespace {

/// By pass. `same`: b has one value, for all passes.
std::vector<double> sums(const std::vector<double>& a, const std::vector<double>& b, bool same) {
  std::vector<double> all;
  for (std::size_t i = 0; i < (same ? a.size() : std::min(a.size(), b.size())); ++i)
    all.push_back(a[i] + b[same ? 0 : i]);
  return all;
}

/// The misfit of a sum, of which each part misses independently.
double misfit_of(const Estimate& a, double value_of_a, const Estimate& b, double value_of_b) {
  return std::hypot(a.misfit * value_of_a, b.misfit * value_of_b) / (value_of_a + value_of_b);
}

/// First the masters' broadcast, then the copy: [D13] 3.3.1; or one call after the other.
Estimate one_after_the_other(Estimate first, const Estimate& second) {
  Estimate both = std::move(first);
  const double time_s = both.time.value.value();
  const double second_s = second.time.value.value();
  both.times_s = sums(both.times_s, second.times_s, second.exact);
  if (both.energy && second.energy) {
    const double energy_j = both.energy->value.value();
    const double second_j = second.energy->value.value();
    both.energies_j = sums(both.energies_j, second.energies_j, second.exact);
    both.energy = within<Joules>(energy_j + second_j, both.energies_j,
                                 misfit_of(both, energy_j, second, second_j), both.exact);
  }
  both.misfit = misfit_of(both, time_s, second, second_s);
  both.time = within<Seconds>(time_s + second_s, both.times_s, both.misfit, both.exact);
  both.variant.threads = second.variant.threads;
  if (both.extrapolated.empty())
    both.extrapolated = second.extrapolated;
  return both;
}

/// As a platform says it, which is exact.
Estimate estimate_of(const Copying& copying, const Question& question) {
  const auto messages = static_cast<double>(question.messages);
  const double time_s = messages * (copying.start.value() +
                                    static_cast<double>(question.size_b) / copying.rate.value());
  const double energy_j =
      time_s * (copying.node_power.value() * static_cast<double>(question.nodes) +
                question.switch_power.value() * static_cast<double>(question.switches));
  return {.variant = {.algorithm = std::string(thread_copy.name), .threads = copying.threads},
          .time = {.value = Seconds{time_s}},
          .energy = Within<Joules>{.value = Joules{energy_j}},
          .extrapolated = {},
          .times_s = {time_s},
          .energies_j = {energy_j},
          .exact = true};
}

} // namespace

Model::Model(const Calibration& calibration, Formulas formulas)
    : collective_(&collective_named(calibration.conditions.collective)),
      copies_(calibration.copies), switch_power_(calibration.switch_power) {
  std::map<Variant, Fitted> variants;
  for (const Measured& measured : calibration.measured) {
    std::map<Variant, std::vector<const Cell*>> cells;
    for (const Cell& cell : measured.cells)
      if (!cell.times.empty())
        cells[cell.variant].push_back(&cell);
    for (const auto& [variant, of_variant] : cells) {
      const Algorithm* const by_program = find_by_program(*collective_, variant.algorithm);
      const Algorithm* const algorithm =
          by_program != nullptr
              ? by_program
              : find_algorithm(*collective_, calibration.conditions.library, variant.algorithm);
      if (algorithm == nullptr || (formulas == Formulas::paper && by_program == nullptr &&
                                   !in_paper(*algorithm, variant.segment_b)))
        continue;
      Fitted& fit = variants[variant];
      fit.variant = variant;
      fit.form =
          by_program != nullptr ? Form::line : form_of(*algorithm, variant.segment_b, formulas);
      fit.exact = calibration.exact();
      fit.algorithm = algorithm;
      const auto add_to = [&fit, &measured, &its_cells = of_variant](
                              Fitted::Curves& curves, std::vector<Seconds> Cell::*times) {
        curves[measured.processes_per_node].emplace(
            measured.nodes, MeasuredCurve(its_cells, times, fit.form, measured, fit.exact));
      };
      add_to(fit.curves, &Cell::times);
      if (calibration.conditions.arrival.kind != Arrival::Kind::together)
        add_to(fit.inside, &Cell::inside);
    }
  }
  for (auto& [variant, fit] : variants)
    (is_copy(variant)   ? measured_copies_
     : is_call(variant) ? calls_
                        : variants_)
        .push_back(std::move(fit));
  if (variants_.empty())
    throw Error(ErrorKind::model,
                formulas == Formulas::paper
                    ? "the calibration has no algorithm of the paper: scatter and allgather by a "
                      "ring, or a pipeline of segments"
                    : "the calibration has nothing that is measured",
                fmt::format("hypermile collective {} calibrate", collective_->name));
}

std::vector<Estimate> Model::estimate(const Question& question) const {
  if (question.nodes * question.processes_per_node < 2)
    throw Error(ErrorKind::model, "one process has nobody to send to",
                "at least 2 processes: --nodes or --procs-per-node");
  Question asked = question;
  if (asked.switches == 0 && switch_power_) {
    asked.switches = 1;
    asked.switch_power = *switch_power_;
  }
  std::vector<Estimate> estimates;
  for (const Fitted& variant : variants_)
    if (variant.works_for(*collective_, asked))
      estimates.push_back(variant.estimate(asked));
  if (estimates.empty())
    throw Error(ErrorKind::model,
                fmt::format("no algorithm that was calibrated works with {} processes and {}",
                            question.nodes * question.processes_per_node,
                            size_text(question.size_b)),
                "calibrate with as many processes");
  if (const auto copied = copying(question.processes_per_node); copied && question.nodes > 1)
    add_hybrids(estimates, asked, 1, estimate_of(*copied, asked));
  for (const Fitted& copies : measured_copies_)
    for (const auto& [processes, by_nodes] : copies.curves) {
      if (processes * copies.variant.threads != question.processes_per_node)
        continue;
      Question among = asked;
      among.processes_per_node = processes;
      add_hybrids(estimates, asked, processes, copies.estimate(among));
    }
  add_by_two_calls(estimates, asked);
  return estimates;
}

/// [D13] 3.2.2, of two operations.
void Model::add_by_two_calls(std::vector<Estimate>& estimates, const Question& question) const {
  if (calls_.size() != 2 || !calls_[0].works_for(*collective_, question))
    return;
  Estimate both = one_after_the_other(calls_[0].estimate(question), calls_[1].estimate(question));
  both.variant = {.algorithm = std::string(by_two_calls)};
  estimates.push_back(std::move(both));
}

void Model::add_hybrids(std::vector<Estimate>& estimates, const Question& question,
                        std::size_t processes_per_node, const Estimate& copy) const {
  Question masters = question;
  masters.processes_per_node = processes_per_node;
  if (masters.nodes * masters.processes_per_node < 2)
    return;
  for (const Fitted& variant : variants_)
    if (variant.curves.contains(processes_per_node) && variant.works_for(*collective_, masters))
      estimates.push_back(one_after_the_other(variant.estimate(masters), copy));
}

/// Between two that were calibrated; beyond, as at the last.
std::optional<Copying> Model::copying(std::size_t threads) const {
  if (copies_.empty() || threads < 2)
    return std::nullopt;
  std::vector<double> axis;
  for (const Copying& copy : copies_)
    axis.push_back(static_cast<double>(copy.threads));
  const auto [low, high, share] = neighbours(axis, static_cast<double>(threads));
  const double part = std::clamp(share, 0.0, 1.0);
  const Copying& a = copies_[low];
  const Copying& b = copies_[high];
  return Copying{.threads = threads,
                 .start = a.start + (b.start - a.start) * part,
                 .rate = a.rate + (b.rate - a.rate) * part,
                 .node_power = a.node_power + (b.node_power - a.node_power) * part};
}

} // namespace hypermile::collective
