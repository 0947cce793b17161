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
    R"(Makes one HTML file of a folder that 'hypermile run --report' or 'hypermile
simulate --report' has left: time and energy before and after, the gear of each
node, what was predicted and what was measured, cost and CO2; or of the results
of 'hypermile sweep'. The file needs nothing else, neither a network nor a
server; send it to whom you like.

Examples:
  Run a job, and look at its report:
    hypermile run --baseline --report out -- mpirun -n 64 ./app
    hypermile report out
    xdg-open out/report.html

  The same with your price and the CO2 of your power:
    hypermile report out --price 0.28 --currency EUR --co2 380

  A study:
    hypermile sweep powers.yaml
    hypermile report powers.results -o powers.html

Exit code:
  0             the file is written
  1             the folder cannot be read or understood, the file cannot be
                written, or this hypermile was built without the page
  2             wrong usage

docs/report.md describes the page.)";

struct ReportOptions {
  std::string folder;
  std::string output;
  report::PageFactors factors{};
};

std::string page_file() {
  std::string file = installed_page();
  if (!fs::exists(file))
    throw Error(ErrorKind::unsupported,
                "this hypermile was built without the page of the HTML report",
                "install nodejs and npm, and make again; or read the text, run.txt or "
                "simulation.txt in the folder");
  return file;
}

int make_report(const ReportOptions& options) {
  const std::string file = page_file();
  const std::string data = report::page_data(options.folder, options.factors, HYPERMILE_VERSION);
  const std::string output =
      options.output.empty() ? (fs::path(options.folder) / "report.html").string() : options.output;
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
  command.add_option("FOLDER", options.folder, "The folder of --report, or the results of a sweep")
      ->required()
      ->type_name("FOLDER")
      ->check(not_empty());
  command
      .add_option("-o,--output", options.output,
                  "Where the page goes: a file, or - for stdout. Default: report.html in FOLDER")
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
  auto* command = root.add_subcommand(
      "report", "Make one HTML file of what a run, a simulation or a study has left");
  command->group("Commands");
  command->formatter(
      std::make_shared<HelpFormatter>("hypermile report FOLDER [-o FILE] [OPTIONS]"));
  command->footer(report_footer);
  const auto options = std::make_shared<ReportOptions>();
  add_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = make_report(*options); });
}

} // namespace hypermile::cli
