#include "study/comparison.hpp"

#include <algorithm>

namespace hypermile::study {
namespace {

using Status = Outcome::Status;

/// The outcomes of one program, one per block of cells.
using Blocks = std::vector<Outcome>;

std::optional<Effect> effect_in(const Outcome& outcome, const std::string& method) {
  const auto run = std::ranges::find(outcome.runs, method, &Run::method);
  if (run == outcome.runs.end())
    return std::nullopt;
  return effect_of(*run, outcome.runs.front());
}

std::string described(const PublishedMethod& method) {
  std::string text = method.method;
  for (const Option& option : method.options)
    for (const std::string& value : option.values)
      text += " " + value;
  return text;
}

/// What the paper says of each of its methods, and below it what stands for it here; then our own.
std::vector<ComparedLine> lines_of(const PublishedTable& table, const PublishedProgram& program,
                                   const Blocks& blocks) {
  if (table.checks_predictions())
    return {};
  std::vector<ComparedLine> lines;
  const auto add = [&](const std::string& name, const std::string& method, std::size_t block) {
    lines.push_back({.method = name,
                     .published = false,
                     .effect = blocks.empty() ? std::nullopt : effect_in(blocks[block], method)});
  };
  for (std::size_t m = 0; m < table.methods.size(); ++m) {
    const PublishedMethod& method = table.methods[m];
    if (!program.effects.empty())
      lines.push_back({.method = method.name, .published = true, .effect = program.effects[m]});
    add(described(method), method.method, block_of(table, method));
  }
  for (const char* own : own_methods)
    if (std::ranges::find(lines, own, &ComparedLine::method) == lines.end())
      add(own, own, 0);
  return lines;
}

/// Done if all blocks are.
void add_status(ComparedProgram& program, const Blocks& blocks) {
  program.at_hand = true;
  program.status = blocks.empty() ? Status::missing : Status::done;
  for (const Outcome& block : blocks)
    if (block.status != Status::done && program.status != Status::failed) {
      program.status = block.status;
      program.reason = block.reason;
    }
  if (program.status == Status::done)
    program.unscaled = blocks.front().runs.front();
}

} // namespace

Comparison compare(const PublishedTable& table, const std::string& class_name,
                   const Commands& commands, const std::vector<Outcome>& outcomes) {
  Comparison comparison{.table = table, .class_name = class_name, .programs = {}};
  const auto at_hand = static_cast<std::size_t>(std::ranges::count_if(
      table.programs, [&](const auto& program) { return commands.contains(program.name); }));
  std::size_t number = 0; // among those at hand
  for (const PublishedProgram& published : table.programs) {
    ComparedProgram program{.published = published};
    Blocks blocks;
    if (commands.contains(published.name)) {
      for (std::size_t i = number; i < outcomes.size(); i += at_hand)
        blocks.push_back(outcomes[i]);
      ++number;
      add_status(program, blocks);
    }
    program.lines = lines_of(table, published, blocks);
    if (table.checks_predictions() && program.status == Status::done)
      program.errors = prediction_errors(blocks.front().runs);
    comparison.programs.push_back(std::move(program));
  }
  return comparison;
}

std::size_t Comparison::compared() const {
  return static_cast<std::size_t>(
      std::ranges::count(programs, Status::done, &ComparedProgram::status));
}

std::vector<ComparedLine> Comparison::means() const {
  std::vector<ComparedLine> sums;
  const auto count = static_cast<double>(compared());
  for (const ComparedProgram& program : programs) {
    if (program.status != Status::done)
      continue;
    if (sums.empty()) {
      sums = program.lines;
      for (ComparedLine& line : sums)
        line.effect = Effect{};
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (!sums[i].effect || !program.lines[i].effect) {
        sums[i].effect.reset();
        continue;
      }
      sums[i].effect->slowdown += program.lines[i].effect->slowdown / count;
      sums[i].effect->saving += program.lines[i].effect->saving / count;
      sums[i].effect->distance += program.lines[i].effect->distance / count;
    }
  }
  return sums;
}

std::vector<PredictionErrors> Comparison::errors() const {
  std::vector<std::vector<PredictionErrors>> of_programs;
  for (const ComparedProgram& program : programs)
    if (program.status == Status::done)
      of_programs.push_back(program.errors);
  return over_all(of_programs);
}

} // namespace hypermile::study
