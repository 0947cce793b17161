#include "compare/comparison.hpp"

#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace hypermile::compare {
namespace {

using Runs = std::vector<const Run*>;

/// More is what other programs do not take on a quiet machine.
constexpr double busy = 0.02;

std::string shown_method(const std::string& method) {
  return method == "none" ? "unscaled" : method;
}

std::string name_of_run(const std::string& cell, const std::string& method) {
  if (cell.empty() || method.empty())
    return cell + shown_method(method);
  return cell + ": " + shown_method(method);
}

std::vector<std::string> methods_of(const Runs& runs) {
  std::vector<std::string> methods;
  for (const Run* run : runs)
    if (std::ranges::find(methods, run->method) == methods.end())
      methods.push_back(run->method);
  return methods;
}

std::string listed(const std::vector<std::string>& methods) {
  std::vector<std::string> shown;
  for (const std::string& method : methods)
    shown.push_back(method.empty() ? "a run that is not simulated" : shown_method(method));
  return fmt::format("{}", fmt::join(shown, ", "));
}

/// Those of a method, and those that have none.
Runs chosen(const std::vector<Run>& runs, const std::string& method, const char* side) {
  const std::string wanted = method == "unscaled" ? "none" : method;
  Runs all;
  Runs of_method;
  for (const Run& run : runs) {
    all.push_back(&run);
    if (wanted.empty() || run.method.empty() || run.method == wanted)
      of_method.push_back(&run);
  }
  if (of_method.empty())
    throw Error(ErrorKind::config, fmt::format("{} has no run of method '{}'", side, method),
                listed(methods_of(all)));
  return of_method;
}

struct Key {
  std::string cell;
  std::string method;
  bool operator==(const Key&) const = default;
};

struct Group {
  Key key;
  Runs runs;
};

/// In order of appearance.
std::vector<Group> groups_of(const Runs& runs, bool by_method) {
  std::vector<Group> groups;
  for (const Run* run : runs) {
    const Key key{run->cell, by_method ? run->method : ""};
    auto found = std::ranges::find(groups, key, &Group::key);
    if (found == groups.end())
      found = groups.insert(groups.end(), {key, {}});
    found->runs.push_back(run);
  }
  return groups;
}

template <class Value>
Quantity quantity(const Runs& a, const Runs& b, double confidence, Value value) {
  const auto sample = [&](const Runs& runs) {
    std::vector<double> values;
    for (const Run* run : runs)
      values.push_back(value(*run));
    return estimate::sample_of(values);
  };
  const auto of_a = sample(a);
  const auto of_b = sample(b);
  return {.a = of_a,
          .b = of_b,
          .difference = estimate::difference_interval(of_a, of_b, confidence),
          .ratio = estimate::ratio_interval(of_a, of_b, confidence)};
}

const KnownEnergy* energy_known_by(const Run& run, EnergyBy by) {
  const auto found = std::ranges::find(run.energies, by, &KnownEnergy::by);
  return found == run.energies.end() ? nullptr : &*found;
}

/// The best way in which the energy of all runs is known; none: there is no such way.
std::optional<EnergyBy> common_way(const Runs& a, const Runs& b) {
  for (const KnownEnergy& known : a.front()->energies) {
    const auto has_it = [&](const Run* run) { return energy_known_by(*run, known.by) != nullptr; };
    if (std::ranges::all_of(a, has_it) && std::ranges::all_of(b, has_it))
      return known.by;
  }
  return std::nullopt;
}

const KnownEnergy& energy_by(const Run& run, std::optional<EnergyBy> by) {
  return by ? *energy_known_by(run, *by) : run.energies.front();
}

std::vector<EnergyBy> ways_of(const Runs& runs, std::optional<EnergyBy> by) {
  std::vector<EnergyBy> ways;
  for (const Run* run : runs)
    if (const EnergyBy way = energy_by(*run, by).by; std::ranges::find(ways, way) == ways.end())
      ways.push_back(way);
  return ways;
}

/// Leaves it out where it is not known, or 0 as of a meter that counts nothing.
void add_energy(Pair& pair, const Runs& a, const Runs& b, double confidence) {
  const auto has_none = [](const Run* run) { return run->energies.empty(); };
  if (std::ranges::any_of(a, has_none) || std::ranges::any_of(b, has_none))
    return;
  const auto by = common_way(a, b);
  const auto is_0 = [&](const Run* run) { return energy_by(*run, by).energy <= Joules{}; };
  if (std::ranges::any_of(a, is_0) || std::ranges::any_of(b, is_0))
    return;
  pair.energy =
      quantity(a, b, confidence, [&](const Run& run) { return energy_by(run, by).energy.value(); });
  pair.energy_a = ways_of(a, by);
  pair.energy_b = ways_of(b, by);
}

bool of_one_simulation(const Runs& a, const Runs& b) {
  const Run& first = *a.front();
  return a.size() == 1 && b.size() == 1 && first.cell.empty() && !first.method.empty() &&
         first.source == b.front()->source;
}

Pair pair_of(const Group& a, const Group& b, double confidence) {
  Pair pair{.cell = a.key.cell,
            .method_a = a.runs.front()->method,
            .method_b = b.runs.front()->method,
            .of_one_simulation = of_one_simulation(a.runs, b.runs),
            .time = quantity(a.runs, b.runs, confidence,
                             [](const Run& run) { return run.time.value(); })};
  add_energy(pair, a.runs, b.runs, confidence);
  return pair;
}

void add_new(std::vector<Difference>& differences, const Difference& more) {
  const auto is_same = [&](const Difference& known) {
    return known.what == more.what && known.a == more.a && known.b == more.b;
  };
  if (std::ranges::none_of(differences, is_same))
    differences.push_back(more);
}

std::string ways_text(const std::vector<EnergyBy>& ways) {
  std::vector<std::string> texts;
  for (const EnergyBy way : ways)
    texts.push_back(text_of(way));
  return fmt::format("{}", fmt::join(texts, " or "));
}

void add_differences(Comparison& comparison, const Pair& pair, const Group& a, const Group& b) {
  if (pair.method_a != pair.method_b && !pair.method_a.empty() && !pair.method_b.empty())
    add_new(comparison.differences, {"method", listed({pair.method_a}), listed({pair.method_b})});
  for (const Difference& difference : differences_of(a.runs, b.runs))
    add_new(comparison.differences, difference);
  if (pair.energy && (pair.energy_a != pair.energy_b || pair.energy_a.size() > 1))
    add_new(comparison.differences, {"energy", ways_text(pair.energy_a), ways_text(pair.energy_b)});
}

void add_remarks(Comparison& comparison, const Runs& runs, const char* side) {
  for (const Run* run : runs) {
    if (run->exit_code != 0)
      comparison.remarks.push_back(fmt::format("{}: the program in {} ended with exit code {}.",
                                               side, run->source, run->exit_code));
    if (run->taken_by_others.value_or(0) > busy)
      comparison.remarks.push_back(fmt::format(
          "{}: the machine was busy. Other programs took {:.2g} % of the ranks' time in "
          "{}.",
          side, 100 * *run->taken_by_others, run->source));
  }
}

Mean mean_of(const std::vector<double>& ratios, double confidence) {
  std::vector<double> logarithms;
  for (const double ratio : ratios)
    logarithms.push_back(std::log(ratio));
  const auto sample = estimate::sample_of(logarithms);
  Mean mean{std::exp(sample.mean), estimate::mean_interval(sample, confidence)};
  if (mean.interval)
    mean.interval = {std::exp(mean.interval->low), std::exp(mean.interval->high)};
  return mean;
}

struct Ratios {
  std::vector<double> time;
  std::vector<double> energy;
};

std::vector<CellsMean> means_of(const std::vector<Pair>& pairs, double confidence) {
  std::map<std::pair<std::string, std::string>, Ratios> by_method;
  for (const Pair& pair : pairs) {
    if (pair.cell.empty())
      continue;
    Ratios& ratios = by_method[{pair.method_a, pair.method_b}];
    ratios.time.push_back(pair.time.times());
    if (pair.energy)
      ratios.energy.push_back(pair.energy->times());
  }
  std::vector<CellsMean> means;
  for (const auto& [methods, ratios] : by_method)
    means.push_back({methods.first, methods.second, ratios.time.size(),
                     mean_of(ratios.time, confidence),
                     ratios.energy.size() == ratios.time.size()
                         ? std::optional(mean_of(ratios.energy, confidence))
                         : std::nullopt});
  return means;
}

std::vector<Run> read_all(const std::vector<std::string>& paths, const char* side) {
  std::vector<Run> runs;
  std::vector<std::string> known;
  for (const std::string& path : paths) {
    auto of_path = read_results(path);
    const std::string file = std::filesystem::weakly_canonical(path).string();
    if (std::ranges::find(known, file) != known.end())
      throw Error(ErrorKind::config, fmt::format("{} names {} twice", side, path),
                  "each result once: the same one again says nothing about chance");
    known.push_back(file);
    runs.insert(runs.end(), of_path.begin(), of_path.end());
  }
  return runs;
}

[[noreturn]] void refuse(const Runs& a, const Runs& b) {
  const bool cells = !a.front()->cell.empty() && !b.front()->cell.empty();
  throw Error(ErrorKind::config, "A and B have no run in common",
              cells ? "results of the same study, or of studies that share cells and methods"
                    : fmt::format("--method and --with-method; A has {}; B has {}",
                                  listed(methods_of(a)), listed(methods_of(b))));
}

} // namespace

std::optional<bool> Quantity::shown() const {
  if (!difference)
    return std::nullopt;
  return difference->low > 0 || difference->high < 0;
}

std::string name_of(const Pair& pair) {
  if (pair.method_a == pair.method_b)
    return name_of_run(pair.cell, pair.method_a);
  return name_of_run(
      pair.cell, fmt::format("{} against {}", listed({pair.method_b}), listed({pair.method_a})));
}

Comparison compare_runs(const Question& question, const std::vector<Run>& all_a,
                        const std::vector<Run>& all_b) {
  const Runs a = chosen(all_a, question.method_a, "A");
  const Runs b = chosen(all_b, question.method_b, "B");
  // One of each: they are to be compared whatever they are called.
  const bool by_method = methods_of(a).size() > 1 || methods_of(b).size() > 1;
  Comparison comparison{.a = question.a, .b = question.b, .confidence = question.confidence};
  const auto groups_a = groups_of(a, by_method);
  const auto groups_b = groups_of(b, by_method);
  for (const Group& of_a : groups_a) {
    const auto of_b = std::ranges::find(groups_b, of_a.key, &Group::key);
    if (of_b == groups_b.end()) {
      comparison.only_in_a.push_back(name_of_run(of_a.key.cell, of_a.runs.front()->method));
      continue;
    }
    const Pair pair = pair_of(of_a, *of_b, question.confidence);
    add_differences(comparison, pair, of_a, *of_b);
    comparison.pairs.push_back(pair);
  }
  if (comparison.pairs.empty())
    refuse(a, b);
  for (const Group& of_b : groups_b)
    if (std::ranges::find(groups_a, of_b.key, &Group::key) == groups_a.end())
      comparison.only_in_b.push_back(name_of_run(of_b.key.cell, of_b.runs.front()->method));
  add_remarks(comparison, a, "A");
  add_remarks(comparison, b, "B");
  comparison.means = means_of(comparison.pairs, question.confidence);
  return comparison;
}

Comparison compare(const Question& question) {
  const std::vector<Run> a = read_all(question.a, "A"); // whose errors come first
  return compare_runs(question, a, read_all(question.b, "B"));
}

} // namespace hypermile::compare
