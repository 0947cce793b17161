#pragma once

#include <string>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// Where the report of a command that runs a program goes: stdout is the program's.
struct ReportOutput {
  std::string file;  ///< "-": stdout; empty: stderr
  bool json = false; ///< and not text
  bool quiet = false;
};

/// Declares --output, --json (of `schema`) and --quiet; `kept_by`: the options that make a report
/// be kept nevertheless.
void add_report_output(CLI::App& command, ReportOutput& output, const std::string& schema,
                       const std::string& kept_by);

/// To the file or stdout, if it can be; else, unless nothing is wanted, to stderr. Returns whether
/// it went where it was to go.
bool show_report(const ReportOutput& output, const std::string& text);

/// Says, unless nothing is wanted, in which folder the report is, and what makes a page of it.
void tell_kept(const ReportOutput& output, const std::string& folder);

/// The exit code of a command whose program ended with `program`: that, or 1 where the program
/// succeeded and its report could not be kept.
int exit_code_of(int program, bool report_kept);

} // namespace hypermile::cli
