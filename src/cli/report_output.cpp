#include "cli/report_output.hpp"

#include "cli/checks.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace hypermile::cli {

void add_report_output(CLI::App& command, ReportOutput& output, const std::string& schema,
                       const std::string& kept_by) {
  command
      .add_option("-o,--output", output.file,
                  "Where the report goes: a file, or - for stdout. Default: stderr")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_flag("--json", output.json, "Print the report as JSON, " + schema);
  command.add_flag("-q,--quiet", output.quiet, "Print no report, unless " + kept_by + " is given");
}

bool show_report(const ReportOutput& output, const std::string& text) {
  bool written = true;
  try {
    if (output.file == "-") {
      print_result(text);
      return true;
    }
    if (!output.file.empty()) {
      io::write_text_file(output.file, text);
      return true;
    }
  } catch (const Error& error) {
    print_error(error.what());
    written = false;
  }
  if (!output.quiet)
    std::fputs(("\n" + text).c_str(), stderr);
  return written;
}

void tell_kept(const ReportOutput& output, const std::string& folder) {
  if (output.quiet || output.json)
    return;
  const bool makes_pages = std::filesystem::exists(installed_page());
  print_remark(fmt::format("the report is in {}{}", folder,
                           makes_pages ? "; as HTML: hypermile report " + folder : ""));
}

int exit_code_of(int program, bool report_kept) {
  constexpr int not_kept = 1;
  return program == 0 && !report_kept ? not_kept : program;
}

} // namespace hypermile::cli
