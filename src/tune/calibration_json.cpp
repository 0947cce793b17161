#include "tune/calibration_json.hpp"

#include "io/json_reader.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace hypermile::tune {
namespace {

using collective::Calibration;
using collective::Cell;
using collective::Conditions;
using collective::Copying;
using collective::Measured;
using collective::PowerKind;
using io::JsonReader;
using Json = nlohmann::ordered_json;

constexpr std::string_view schema = "hypermile/collective-calibration/1";
constexpr std::array<std::string_view, 4> power_kinds{"none", "measured", "modelled", "simulated"};
constexpr std::size_t most_passes = 1000;
constexpr std::size_t most_processes = std::size_t{1} << 24U;

template <class Quantity> std::vector<double> numbers(const std::vector<Quantity>& values) {
  std::vector<double> raw;
  for (const Quantity value : values)
    raw.push_back(value.value());
  return raw;
}

Json copies_json(const std::vector<Copying>& copies) {
  Json json = Json::array();
  for (const Copying& copy : copies)
    json.push_back({{"threads", copy.threads},
                    {"start_s", copy.start.value()},
                    {"rate_bytes_per_s", copy.rate.value()},
                    {"node_power_w", copy.node_power.value()}});
  return json;
}

Json head_of(const Calibration& calibration) {
  const Conditions& conditions = calibration.conditions;
  Json json{{"schema", schema},
            {"collective", conditions.collective},
            {"library", collective::name_of(conditions.library)},
            {"version", conditions.version},
            {"machine", conditions.machine},
            {"power", power_kinds[static_cast<std::size_t>(conditions.power)]},
            {"power_source", conditions.power_source},
            {"seconds_per_cell_s", conditions.seconds_per_cell},
            {"arrival", arrival_text(conditions.arrival)},
            {"seed", calibration.seed},
            {"passes", calibration.passes}};
  if (calibration.switch_power)
    json["switch_power_w"] = calibration.switch_power->value();
  if (!calibration.copies.empty())
    json["copies"] = copies_json(calibration.copies);
  return json;
}

Json cell_json(const Cell& cell) {
  Json json{{"algorithm", cell.variant.algorithm},
            {"segment_b", cell.variant.segment_b},
            {"size_b", cell.size_b},
            {"times_s", numbers(cell.times)}};
  if (cell.variant.threads > 1)
    json["threads"] = cell.variant.threads;
  if (!cell.inside.empty())
    json["inside_s"] = numbers(cell.inside);
  if (!cell.powers.empty())
    json["powers_w"] = numbers(cell.powers);
  return json;
}

std::size_t whole(const JsonReader& reader, std::size_t least, std::size_t most) {
  const std::size_t value = reader.index();
  if (value < least || value > most)
    reader.fail(fmt::format("{} is not between {} and {}", value, least, most));
  return value;
}

/// Of positive numbers, so large and small that computing with them stays finite.
template <class Quantity> std::vector<Quantity> quantities(const JsonReader& reader) {
  std::vector<Quantity> values;
  for (const double number : reader.numbers(most_passes)) {
    if (!(number >= 1e-12 && number <= 1e12))
      reader.fail(fmt::format("{} is not between 1e-12 and 1e12", number));
    values.emplace_back(number);
  }
  return values;
}

Cell read_cell(const JsonReader& reader, const Calibration& calibration) {
  reader.expect_keys(
      {"algorithm", "segment_b", "threads", "size_b", "times_s", "inside_s", "powers_w"});
  constexpr std::size_t most_b = std::numeric_limits<std::int32_t>::max();
  // One by one: in nested braces, g++ 12 destroys the name twice where a later value throws.
  Cell cell;
  cell.variant.algorithm = reader.at("algorithm").text();
  cell.variant.segment_b = whole(reader.at("segment_b"), 0, most_b);
  cell.size_b = whole(reader.at("size_b"), 1, most_b);
  cell.times = quantities<Seconds>(reader.at("times_s"));
  const Conditions& conditions = calibration.conditions;
  const auto& collective = collective::collective_named(conditions.collective);
  const auto* const algorithm =
      find_measurable(collective, conditions.library, cell.variant.algorithm);
  if (algorithm == nullptr)
    reader.at("algorithm")
        .fail(fmt::format("{} has no algorithm '{}'", collective::name_of(conditions.library),
                          cell.variant.algorithm));
  if (cell.variant.segment_b > 0 && !algorithm->segments)
    reader.at("segment_b").fail(fmt::format("{} has no segments", algorithm->name));
  if (is_copy(cell.variant) != reader.has("threads"))
    reader.fail("threads are there for another algorithm than copyprivate, or missing for it");
  if (reader.has("threads"))
    cell.variant.threads = whole(reader.at("threads"), 2, most_processes);
  if (cell.size_b % collective.element_b != 0)
    reader.at("size_b").fail(fmt::format("not a multiple of {}", collective.element_b));
  if (cell.times.size() > calibration.passes)
    reader.at("times_s").fail(fmt::format("more than {} passes", calibration.passes));
  if ((conditions.power != PowerKind::none) != reader.has("powers_w"))
    reader.fail("powers are there where power is \"none\", or missing where it is not");
  if ((conditions.arrival.kind != collective::Arrival::Kind::together) != reader.has("inside_s"))
    reader.fail("inside_s is there where arrival is \"together\", or missing where it is not");
  if (reader.has("powers_w"))
    cell.powers = quantities<Watts>(reader.at("powers_w"));
  if (reader.has("inside_s"))
    cell.inside = quantities<Seconds>(reader.at("inside_s"));
  for (const auto& [key, count] :
       {std::pair{"powers_w", cell.powers.size()}, {"inside_s", cell.inside.size()}})
    if (reader.has(key) && count != cell.times.size())
      reader.at(key).fail("not one for each of times_s");
  return cell;
}

Measured read_measured(const JsonReader& reader, const Calibration& calibration) {
  reader.expect_keys({"nodes", "processes_per_node", "cells"});
  Measured measured{.nodes = whole(reader.at("nodes"), 1, most_processes),
                    .processes_per_node =
                        whole(reader.at("processes_per_node"), 1, most_processes)};
  std::set<std::tuple<collective::Variant, std::size_t>> seen;
  for (const JsonReader& element : reader.at("cells").elements()) {
    Cell cell = read_cell(element, calibration);
    if (!seen.emplace(cell.variant, cell.size_b).second)
      element.fail("the same algorithm, segment and size again");
    measured.cells.push_back(std::move(cell));
  }
  return measured;
}

PowerKind read_power_kind(const JsonReader& reader) {
  const std::string text = reader.text();
  const auto found = std::ranges::find(power_kinds, text);
  if (found == power_kinds.end())
    reader.fail(fmt::format("'{}' is not none, measured, modelled or simulated", text));
  return static_cast<PowerKind>(found - power_kinds.begin());
}

/// So small that computing with it stays finite.
double bounded(const JsonReader& reader, double least) {
  const double value = reader.not_negative();
  if (!(value >= least && value <= 1e12))
    reader.fail(fmt::format("{} is not between {} and 1e12", value, least));
  return value;
}

std::vector<Copying> read_copies(const JsonReader& reader) {
  std::vector<Copying> copies;
  for (const JsonReader& element : reader.elements()) {
    element.expect_keys({"threads", "start_s", "rate_bytes_per_s", "node_power_w"});
    copies.push_back({.threads = whole(element.at("threads"), 1, most_processes),
                      .start = Seconds{bounded(element.at("start_s"), 0)},
                      .rate = Bandwidth{bounded(element.at("rate_bytes_per_s"), 1)},
                      .node_power = Watts{bounded(element.at("node_power_w"), 0)}});
    if (copies.size() > 1 && copies[copies.size() - 2].threads >= copies.back().threads)
      element.at("threads").fail("not more than those before");
  }
  return copies;
}

collective::Arrival read_arrival(const JsonReader& reader) {
  try {
    return collective::parse_arrival(reader.text());
  } catch (const std::invalid_argument& problem) {
    reader.fail(problem.what());
  }
}

Calibration read_head(const JsonReader& reader) {
  Calibration calibration;
  Conditions& conditions = calibration.conditions;
  conditions.collective = reader.at("collective").text();
  if (std::ranges::find(collective::collectives(), conditions.collective,
                        &collective::Collective::name) == collective::collectives().end())
    reader.at("collective")
        .fail(fmt::format("hypermile has no collective '{}'", conditions.collective));
  const std::string library = reader.at("library").text();
  if (!collective::library_named(library))
    reader.at("library").fail(fmt::format("'{}' is not openmpi, mpich or smpi", library));
  conditions.library = *collective::library_named(library);
  conditions.version = reader.at("version").text();
  conditions.machine = reader.at("machine").text();
  conditions.power = read_power_kind(reader.at("power"));
  conditions.power_source = reader.at("power_source").text();
  conditions.seconds_per_cell = reader.at("seconds_per_cell_s").not_negative();
  if (reader.has("arrival")) // files from before there was a choice have none
    conditions.arrival = read_arrival(reader.at("arrival"));
  calibration.seed = reader.at("seed").index();
  calibration.passes = whole(reader.at("passes"), 1, most_passes);
  if (reader.has("switch_power_w"))
    calibration.switch_power = Watts{bounded(reader.at("switch_power_w"), 0)};
  if (reader.has("copies"))
    calibration.copies = read_copies(reader.at("copies"));
  if ((conditions.library == collective::Library::smpi) !=
      (conditions.power == PowerKind::simulated))
    reader.at("power").fail("smpi, and nothing else, has power that is \"simulated\"");
  if (reader.has("copies") && conditions.library != collective::Library::smpi)
    reader.at("copies").fail("smpi alone has copies as a platform says them");
  return calibration;
}

} // namespace

std::string calibration_json(const Calibration& calibration) {
  std::string text = head_of(calibration).dump(1);
  text.resize(text.rfind('\n')); // the brace that ends it
  text += ",\n \"measured\": [";
  for (const Measured& measured : calibration.measured) {
    text += fmt::format("{}\n  {{\"nodes\": {}, \"processes_per_node\": {}, \"cells\": [",
                        &measured == calibration.measured.data() ? "" : ",", measured.nodes,
                        measured.processes_per_node);
    for (const Cell& cell : measured.cells)
      text += fmt::format("{}\n   {}", &cell == measured.cells.data() ? "" : ",",
                          cell_json(cell).dump());
    text += "]}";
  }
  return text + "]\n}\n";
}

Calibration parse_calibration(std::string_view text, const std::string& file) {
  const JsonReader reader(io::parse_json(text, file), file);
  if (!reader.has("schema") || reader.at("schema").text() != schema)
    reader.fail(fmt::format("this is not a calibration: its schema is not {}", schema),
                "a file that 'hypermile collective NAME calibrate' has written");
  reader.expect_keys({"schema", "collective", "library", "version", "machine", "power",
                      "power_source", "seconds_per_cell_s", "arrival", "seed", "passes",
                      "switch_power_w", "copies", "measured"});
  Calibration calibration = read_head(reader);
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const JsonReader& element : reader.at("measured").elements()) {
    calibration.measured.push_back(read_measured(element, calibration));
    const Measured& last = calibration.measured.back();
    if (!seen.emplace(last.nodes, last.processes_per_node).second)
      element.fail("the same numbers of nodes and processes again");
  }
  return calibration;
}

} // namespace hypermile::tune
