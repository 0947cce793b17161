#include "study/published.hpp"

#include <algorithm>
#include <iterator>

namespace hypermile::study {
namespace {

using Options = std::vector<Option>;

/// The sets of options that differ; that without any comes first.
std::vector<Options> blocks_of(const PublishedTable& table) {
  std::vector<Options> blocks{{}};
  for (const PublishedMethod& method : table.methods)
    if (std::ranges::find(blocks, method.options) == blocks.end())
      blocks.push_back(method.options);
  return blocks;
}

/// The methods of the paper with these options. Our own are beside those that have none.
std::vector<std::string> methods_with(const PublishedTable& table, const Options& options) {
  if (table.checks_predictions())
    return {"none"};
  std::vector<std::string> methods;
  const auto add = [&](const std::string& method) {
    if (std::ranges::find(methods, method) == methods.end())
      methods.push_back(method);
  };
  for (const PublishedMethod& method : table.methods)
    if (method.options == options)
      add(method.method);
  if (options.empty())
    for (const char* own : own_methods)
      add(own);
  return methods;
}

Study study_of(const PublishedTable& table, const std::string& class_name,
               const Commands& commands) {
  Study study{.name = table.name,
              .programs = {},
              .platforms = {table.platform},
              .methods = {},
              .options = {}};
  for (const PublishedProgram& program : table.programs)
    if (const auto command = commands.find(program.name); command != commands.end())
      study.programs.push_back({.name = program.name,
                                .command = command->second,
                                .classes = {class_name},
                                .ranks = {program.ranks},
                                .options = {}});
  return study;
}

} // namespace

std::vector<Cell> cells_of(const PublishedTable& table, const std::string& class_name,
                           const Commands& commands, const std::vector<Option>& shared) {
  std::vector<Cell> all;
  Study study = study_of(table, class_name, commands);
  for (const Options& options : blocks_of(table)) {
    study.methods = methods_with(table, options);
    study.options = table.options;
    study.options.insert(study.options.end(), shared.begin(), shared.end());
    study.options.insert(study.options.end(), options.begin(), options.end());
    for (Cell& cell : cells_of(study)) {
      cell.number = all.size() + 1;
      all.push_back(std::move(cell));
    }
  }
  return all;
}

std::size_t block_of(const PublishedTable& table, const PublishedMethod& method) {
  const auto blocks = blocks_of(table);
  return static_cast<std::size_t>(
      std::distance(blocks.begin(), std::ranges::find(blocks, method.options)));
}

} // namespace hypermile::study
