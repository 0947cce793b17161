#include "cli/collective.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <utility>

namespace hypermile::cli {
namespace {

constexpr const char* one_footer =
    R"(MPI libraries have several algorithms for {function}, and choose by rules
that were made on other machines. These commands measure them on this one, and
make the library use the one that costs least.

Examples:
  Measure all algorithms with 4 processes, and choose the fastest:
    {command} calibrate -o cal.json -- mpirun -n 4
    {command} choose cal.json --least time

  Make Open MPI use them, and prove that it does:
    {command} apply cal.json --least time -o rules.conf
    {command} verify rules.conf -- mpirun -n 4

docs/collectives.md says how each figure comes about.)";

constexpr const char* all_footer =
    R"(MPI libraries have several algorithms for each collective operation, and choose
by rules that were made on other machines. Each of allgather, allreduce,
alltoall and bcast has the commands calibrate, estimate, choose, apply and
verify; hypermile bcast is short for hypermile collective bcast. The commands
apply and verify without the name of a collective are for all of them.

Examples:
  Measure two collectives, and make one file of rules of both:
    hypermile collective allreduce calibrate -o allreduce.json -- mpirun -n 4
    hypermile bcast calibrate -o bcast.json -- mpirun -n 4
    hypermile collective apply allreduce.json bcast.json --least time \
      -o rules.conf
    hypermile collective verify rules.conf -- mpirun -n 4
    hypermile run --collectives rules.conf -- mpirun -n 4 ./app

docs/collectives.md says how each figure comes about.)";

/// Of `calibrate`, for collectives with hybrids.
constexpr const char* hybrids_example =
    R"(  Two processes with two threads each, against four processes:
    {command} calibrate --threads 2 -o cal.json \
      -- mpirun -n 2 --bind-to none
    {command} calibrate -o cal.json -- mpirun -n 4
    {command} choose cal.json --procs-per-node 4

)";

CLI::App* add_group(CLI::App& parent, const std::string& word, const CollectiveCommand& of,
                    const std::string& description) {
  auto* command = parent.add_subcommand(word, description);
  command->formatter(std::make_shared<HelpFormatter>(of.name + " COMMAND [OPTIONS]"));
  command->get_formatter()->label("Subcommands", "Commands");
  command->group("Commands"); // those below it inherit it
  command->require_subcommand(1);
  return command;
}

void add_one(CLI::App& parent, const CollectiveCommand& of, const std::string& description,
             int& exit_code) {
  auto* command = add_group(parent, std::string(of.collective->name), of, description);
  command->footer(with_names(one_footer, of));
  add_collective_calibrate_command(*command, of, exit_code);
  add_collective_estimate_command(*command, of, exit_code);
  add_collective_choose_command(*command, of, exit_code);
  add_collective_apply_command(*command, of, exit_code);
  add_collective_verify_command(*command, of, exit_code);
}

} // namespace

std::string with_names(std::string text, const CollectiveCommand& of) {
  const auto replace = [&](const std::string& old, std::string_view by) {
    for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
      text.replace(at, old.size(), by);
  };
  replace("{command}", of.name);
  if (of.collective == nullptr)
    return text;
  replace("{hybrids}", of.collective->by_program ? hybrids_example : "");
  replace("{command}", of.name);
  replace("{plural}", of.collective->plural);
  replace("{function}", of.collective->function);
  replace("{first}", collective::size_text(of.collective->first_b));
  replace("{last}", collective::size_text(of.collective->last_b));
  return text;
}

void add_bcast_command(CLI::App& root, int& exit_code) {
  const CollectiveCommand of{&collective::collective_named("bcast"), "hypermile bcast"};
  add_one(root, of, "Short for 'collective bcast'", exit_code);
}

void add_collective_command(CLI::App& root, int& exit_code) {
  const CollectiveCommand all{nullptr, "hypermile collective"};
  auto* command =
      add_group(root, "collective", all,
                "Choose algorithms of collective operations by measured time and energy");
  command->footer(all_footer);
  for (const auto& collective : collective::collectives())
    add_one(*command, {&collective, fmt::format("hypermile collective {}", collective.name)},
            fmt::format("The algorithms of {}", collective.function), exit_code);
  add_collective_apply_command(*command, all, exit_code);
  add_collective_verify_command(*command, all, exit_code);
}

} // namespace hypermile::cli
