#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/jobs_text.hpp"
#include "cli/output.hpp"

#include "accounting/job_line.hpp"
#include "accounting/prometheus.hpp"
#include "io/text_file.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* jobs_footer =
    R"(FILE has a line of JSON for each job, or step of a Slurm job, that ran under
hypermile: what jobs= in Slurm's plugstack.conf names. Shown is what was saved
in all, and by user.

Examples:
  What was saved, in all and by user; and by each job:
    hypermile jobs /var/log/hypermile/jobs.jsonl
    hypermile jobs --each /var/log/hypermile/jobs.jsonl

  Of one user, who may have a file of their own:
    hypermile jobs --user anna /var/log/hypermile/*.jsonl

  For the textfile collector of Prometheus' node_exporter, from cron:
    hypermile jobs /var/log/hypermile/jobs.jsonl --prometheus \
        -o /var/lib/prometheus/node-exporter/hypermile.prom

Exit code:
  0             the jobs are shown
  1             a file cannot be read, or a line of it is not that of a job
  2             wrong usage

docs/slurm.md describes the lines, the JSON and the metrics.)";

struct JobsOptions {
  std::vector<std::string> files;
  std::string user;
  std::string output;
  bool each = false;
  bool json = false;
  bool prometheus = false;
};

std::vector<accounting::JobLine> read_jobs(const JobsOptions& options) {
  std::vector<accounting::JobLine> all;
  for (const std::string& file : options.files)
    for (auto& job : accounting::parse_job_lines(io::read_text_file(file), file))
      if (options.user.empty() || job.step.user == options.user)
        all.push_back(std::move(job));
  return all;
}

std::string text_of(const JobsOptions& options, const std::vector<accounting::JobLine>& jobs) {
  const auto totals = accounting::totals_of(jobs);
  if (options.prometheus) {
    double last = 0;
    for (const auto& job : jobs)
      last = std::max(last, job.ended_unix_s);
    return accounting::prometheus_text(totals, last);
  }
  if (options.json)
    return totals_as_json(totals);
  return (options.each ? jobs_as_text(jobs) + "\n" : "") + totals_as_text(totals);
}

void run(const JobsOptions& options) {
  const std::string text = text_of(options, read_jobs(options));
  if (options.output.empty())
    print_result(text);
  else
    io::write_text_file(options.output, text);
}

} // namespace

void add_jobs_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand("jobs", "Show what gears saved in many jobs, by user");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile jobs FILE... [OPTIONS]"));
  command->footer(jobs_footer);
  const auto options = std::make_shared<JobsOptions>();
  command->add_option("FILE", options->files, "Files with a line for each job")
      ->required()
      ->check(not_empty());
  command->add_option("--user", options->user, "Only the jobs of this user. Default: those of all")
      ->type_name("NAME")
      ->check(not_empty());
  auto* const each = command->add_flag("--each", options->each, "Show each job, too");
  auto* const json = command->add_flag("--json", options->json, "Print JSON, hypermile/jobs/1");
  command
      ->add_flag("--prometheus", options->prometheus,
                 "Print metrics for Prometheus, in the format of a textfile")
      ->excludes(json)
      ->excludes(each);
  json->excludes(each);
  command
      ->add_option("-o,--output", options->output,
                   "Write to this file, as a whole or not at all. Default: standard output")
      ->type_name("FILE")
      ->check(not_empty());
  command->callback([options, &exit_code] {
    run(*options);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace hypermile::cli
