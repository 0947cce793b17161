#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"

#include "io/text_file.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* report_footer =
    R"(Makes one HTML file of a folder that --report of 'hypermile run', 'hypermile
simulate' or 'hypermile steer' has left: time and energy before and after, the
gear of each node, what was predicted and what was measured, throughput and
power over time, cost and CO2; or of the results of 'hypermile sweep'; or of the
JSON in FILE, that one of these has printed with --json:
    hypermile select, also with --compare or --pareto
    hypermile reproduce TABLE
    hypermile fit
    hypermile collective NAME calibrate, estimate or choose (or hypermile bcast)

The page needs nothing else, neither a network nor a server; send it to whom you
like.

Examples:
  Run a job, and look at its report:
    hypermile run --baseline --report out -- mpirun -n 64 ./app
    hypermile report out
    xdg-open out/report.html

  The same with your price and the CO2 of your power:
    hypermile report out --price 0.28 --currency EUR --co2 380

  A program that was held to a bound:
    hypermile steer --power 90W --report out -- ./server
    hypermile report out

  A study:
    hypermile sweep powers.yaml
    hypermile report powers.results -o powers.html

  The exact Pareto front of a problem, with what every method chooses:
    hypermile select problem.json --json > plan.json
    hypermile report plan.json

  A published table beside what came of it here:
    hypermile reproduce f16-3.4 --class A --json > table.json
    hypermile report table.json

Exit code:
  0             the file is written
  1             the folder or file cannot be read or understood, the page cannot
                be written, or this hypermile was built without it
  2             wrong usage

docs/report.md describes the page.)";

struct ReportOptions {
  std::string subject; ///< a folder, or a file
  std::string output;
  report::PageFactors factors{};
};

std::string page_file() {
  std::string file = installed_page();
  if (!fs::exists(file))
    throw Error(ErrorKind::unsupported,
                "this hypermile was built without the page of the HTML report",
                "install nodejs and npm, and make again; or read the text, run.txt, "
                "simulation.txt or steer.txt in the folder");
  return file;
}

/// report.html in the folder; of FILE.json, FILE.html beside it.
std::string usual_output(const std::string& subject) {
  return fs::is_directory(subject) ? (fs::path(subject) / "report.html").string()
                                   : fs::path(subject).replace_extension(".html").string();
}

int make_report(const ReportOptions& options) {
  const std::string file = page_file();
  const std::string data =
      report::page_data(options.subject, options.factors,
                        {.version = HYPERMILE_VERSION, .platform_folder = platform_folder()});
  const std::string output =
      options.output.empty() ? usual_output(options.subject) : options.output;
  const std::string page = report::fill_page(io::read_text_file(file), data, file);
  if (output == "-") {
    print_result(page);
  } else {
    io::write_text_file(output, page);
    print_remark(fmt::format("the report is in {}", output));
  }
  return static_cast<int>(ExitCode::success);
}

void add_options(CLI::App& command, ReportOptions& options) {
  command
      .add_option("SUBJECT", options.subject,
                  "The folder of --report, the results of a sweep, or a file with the JSON that "
                  "one of the commands above has printed")
      ->required()
      ->type_name("FOLDER|FILE")
      ->check(not_empty());
  command
      .add_option(
          "-o,--output", options.output,
          "Where the page goes: a file, or - for stdout. Default: report.html in FOLDER, or "
          "FILE.html beside FILE.json")
      ->type_name("FILE")
      ->check(not_empty());
  const auto at_least_0 = CLI::NonNegativeNumber.description("");
  command
      .add_option("--price", options.factors.price_per_kwh,
                  "Price of a kWh that the page begins with; its reader can change it")
      ->type_name("NUMBER")
      ->check(at_least_0);
  command
      .add_option("--currency", options.factors.currency,
                  "Currency of the price, as it is to be shown")
      ->type_name("TEXT");
  command
      .add_option("--co2", options.factors.co2_g_per_kwh,
                  "Grams of CO2 for a kWh that the page begins with; its reader can change them")
      ->type_name("NUMBER")
      ->check(at_least_0);
}

} // namespace

void add_report_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("report", "Make one HTML file of what another command has left");
  command->group("Commands");
  command->formatter(
      std::make_shared<HelpFormatter>("hypermile report FOLDER|FILE [-o FILE] [OPTIONS]"));
  command->footer(report_footer);
  const auto options = std::make_shared<ReportOptions>();
  add_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = make_report(*options); });
}

} // namespace hypermile::cli
