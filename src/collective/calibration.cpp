#include "collective/calibration.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <random>

namespace hypermile::collective {
namespace {

struct Prefix {
  std::string_view unit;
  std::size_t bytes;
};

constexpr std::array prefixes{Prefix{"KiB", 1U << 10U},
                              Prefix{"MiB", 1U << 20U},
                              Prefix{"GiB", 1U << 30U},
                              Prefix{"kB", 1000},
                              Prefix{"MB", 1000000},
                              Prefix{"GB", 1000000000},
                              Prefix{"B", 1}};

/// The same on every machine, as std::shuffle() need not be.
void shuffle(std::vector<Step>& steps, std::mt19937_64& random) {
  for (std::size_t i = steps.size(); i > 1; --i)
    std::swap(steps[i - 1], steps[random() % i]);
}

} // namespace

const Cell* find_cell(const Measured& measured, const Variant& variant, std::size_t size_b) {
  const auto found = std::ranges::find_if(measured.cells, [&](const Cell& cell) {
    return cell.variant == variant && cell.size_b == size_b;
  });
  return found == measured.cells.end() ? nullptr : &*found;
}

const Measured* find_measured(const Calibration& calibration, std::size_t nodes,
                              std::size_t processes_per_node) {
  const auto found = std::ranges::find_if(calibration.measured, [&](const Measured& measured) {
    return measured.nodes == nodes && measured.processes_per_node == processes_per_node;
  });
  return found == calibration.measured.end() ? nullptr : &*found;
}

std::string size_text(std::size_t size_b) {
  for (const std::size_t i : {2U, 1U, 0U})
    if (size_b >= prefixes[i].bytes && size_b % prefixes[i].bytes == 0)
      return fmt::format("{}{}", size_b / prefixes[i].bytes, prefixes[i].unit);
  return fmt::format("{}B", size_b);
}

std::string label(const Variant& variant) {
  const std::string name = variant.segment_b == 0 ? variant.algorithm
                                                  : fmt::format("{}/{}", variant.algorithm,
                                                                size_text(variant.segment_b));
  return variant.threads > 1 ? fmt::format("{} + {} threads", name, variant.threads) : name;
}

std::size_t parse_size(std::string_view text) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto prefix = std::ranges::find(prefixes, unit, &Prefix::unit);
  if (status != std::errc{} || prefix == prefixes.end())
    throw Error(ErrorKind::config, fmt::format("'{}' is not a size", text),
                "a number with B, kB, MB, GB, KiB, MiB or GiB: 64KiB");
  const double bytes = value * static_cast<double>(prefix->bytes);
  if (!(bytes >= 1 && bytes <= most))
    throw Error(ErrorKind::config,
                fmt::format("'{}' is not between 1B and 2147483647B (2 GiB - 1)", text));
  return static_cast<std::size_t>(bytes);
}

std::vector<Step> missing_steps(const Calibration& calibration,
                                const std::vector<Variant>& variants,
                                const std::vector<std::size_t>& sizes, std::size_t nodes,
                                std::size_t processes_per_node, std::size_t passes) {
  const Measured* const measured = find_measured(calibration, nodes, processes_per_node);
  const Collective& collective = collective_named(calibration.conditions.collective);
  std::mt19937_64 random(calibration.seed);
  std::vector<Step> missing;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    std::vector<Step> steps;
    for (const Variant& variant : variants)
      for (const std::size_t size_b : sizes)
        steps.push_back({.pass = pass, .variant = variant, .size_b = size_b});
    shuffle(steps, random);
    for (Step& step : steps) {
      const Algorithm* const algorithm =
          find_measurable(collective, calibration.conditions.library, step.variant.algorithm);
      if (!works(collective, *algorithm, nodes * processes_per_node, step.size_b,
                 step.variant.segment_b))
        continue;
      const Cell* const cell =
          measured == nullptr ? nullptr : find_cell(*measured, step.variant, step.size_b);
      if (cell == nullptr || cell->times.size() <= pass)
        missing.push_back(std::move(step));
    }
  }
  return missing;
}

Cell& cell_of(Calibration& calibration, std::size_t nodes, std::size_t processes_per_node,
              const Variant& variant, std::size_t size_b) {
  if (find_measured(calibration, nodes, processes_per_node) == nullptr)
    calibration.measured.push_back({.nodes = nodes, .processes_per_node = processes_per_node});
  const auto measured = std::ranges::find_if(calibration.measured, [&](const Measured& candidate) {
    return candidate.nodes == nodes && candidate.processes_per_node == processes_per_node;
  });
  if (find_cell(*measured, variant, size_b) == nullptr)
    measured->cells.push_back({.variant = variant, .size_b = size_b});
  return *std::ranges::find_if(measured->cells, [&](const Cell& cell) {
    return cell.variant == variant && cell.size_b == size_b;
  });
}

} // namespace hypermile::collective
