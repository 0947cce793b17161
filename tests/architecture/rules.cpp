#include "architecture/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <optional>

namespace hypermile::architecture {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 500;

} // namespace

const std::map<std::string_view, Names>& arrows() {
  static const std::map<std::string_view, Names> table{
      {"units", {}},
      {"kernels", {"units"}},
      {"model", {"units"}},
      {"select", {"units", "model", "estimate"}},
      {"steer", {"units", "model", "estimate"}},
      {"govern", {"units", "model"}},
      {"collective", {"units", "model", "estimate"}},
      {"study", {"units"}},
      {"estimate", {"units"}},
      {"control", {"units"}},
      {"guard", {"units", "control"}},
      {"progress", {}},
      // progress: the memory that a backend shares with the library inside a program.
      {"backend/*", {"units", "model", "control", "progress"}},
      {"io", {"units", "model", "select", "steer", "study"}},
      {"accounting", {"units", "control", "io"}},
      // The plugin, which knows Slurm alone.
      {"slurm", {}},
      // The one place that knows all backends and meters.
      {"machine", {"units", "model", "control", "backend/*", "io"}},
      {"runtime", {"units", "model", "select", "govern", "estimate", "control", "io"}},
      {"learn", {"units", "model", "select", "io", "runtime"}},
      // runtime/pmpi for the names of the MPI functions, and for how communicators are numbered.
      {"replay", {"units", "model", "io", "runtime", "runtime/pmpi"}},
      // runtime/pmpi for the same.
      {"trace", {"units", "model", "runtime/pmpi"}},
      // The same for the calls that a model stands for.
      {"application", {"units", "model", "runtime", "runtime/pmpi"}},
      // report: the program itself tells what became of it where no launcher does.
      {"runtime/pmpi",
       {"units", "model", "select", "govern", "control", "io", "accounting", "backend/*", "machine",
        "runtime", "learn", "replay", "report"}},
      {"launch", {"units", "control", "io", "runtime"}},
      // progress for the name of the memory that a program reports through.
      {"session",
       {"units", "model", "steer", "control", "backend/*", "machine", "launch", "progress"}},
      {"doctor", {"units", "control", "backend/*", "machine"}},
      {"calibrate",
       {"units", "kernels", "model", "control", "backend/*", "machine", "io", "doctor"}},
      // doctor for what a program prints, simulate for broadcasts on machines that are not there.
      {"tune", {"units", "model", "collective", "control", "io", "launch", "simulate", "doctor"}},
      // runtime/pmpi for the names of the MPI functions, which need no MPI.
      {"simulate",
       {"units", "kernels", "model", "select", "govern", "control", "io", "runtime", "runtime/pmpi",
        "replay", "application", "estimate"}},
      // simulate for its child processes.
      {"sweep", {"units", "study", "control", "io", "simulate"}},
      {"report",
       {"units", "model", "select", "steer", "study", "io", "accounting", "runtime", "session",
        "simulate"}},
      // report for what is in the folders that it reads, too.
      {"compare", {"units", "estimate", "io", "report"}},
      // runtime for the nodes of a run that was simulated.
      {"python", {"units", "model", "select", "io", "runtime", "replay"}},
      {"cli",
       {"units",        "estimate", "kernels", "model",     "select",  "steer",      "govern",
        "collective",   "study",    "control", "backend/*", "io",      "machine",    "runtime",
        "runtime/pmpi", "learn",    "replay",  "launch",    "session", "doctor",     "calibrate",
        "tune",         "simulate", "sweep",   "trace",     "report",  "accounting", "compare"}},
  };
  return table;
}

const Names pure_folders{"units",  "kernels",    "model", "select",  "steer",
                         "govern", "collective", "study", "estimate"};

namespace {

const Names impure_headers{"atomic",       "chrono",       "condition_variable",
                           "csignal",      "cstdio",       "cstdlib",
                           "ctime",        "filesystem",   "fstream",
                           "future",       "iostream",     "istream",
                           "mutex",        "ostream",      "semaphore",
                           "shared_mutex", "stdio.h",      "stdlib.h",
                           "sys/",         "thread",       "time.h",
                           "pthread.h",    "signal.h",     "unistd.h",
                           "fcntl.h",      "syncstream",   "fmt/chrono.h",
                           "fmt/os.h",     "fmt/ostream.h"};

const Names simulator_headers{"simgrid/", "smpi/", "xbt/", "mpi.h", "mpi-ext.h"};
const Names simulator_places{"src/backend/simgrid/", "src/runtime/pmpi/", "src/replay/program/",
                             "src/tune/program/", "src/simulate/list_hosts.cpp"};

bool starts_with_one_of(std::string_view text, const Names& prefixes) {
  return std::ranges::any_of(prefixes, [&](auto prefix) { return text.starts_with(prefix); });
}

/// True for "x/" and "x/y" in a list with "x/", and for "x" in a list with "x".
bool names_header(const Names& headers, std::string_view header) {
  return std::ranges::any_of(headers, [&](std::string_view name) {
    return name.ends_with('/') ? header.starts_with(name) : header == name;
  });
}

/// "select" for "select/plan.hpp", "backend/simgrid" for "backend/simgrid/host.hpp".
std::string folder_of(std::string_view path) {
  for (const std::string_view parent : {"backend/", "runtime/pmpi/"})
    if (path.starts_with(parent)) {
      const auto end = parent == "backend/" ? path.find('/', parent.size()) : parent.size() - 1;
      return std::string(path.substr(0, end));
    }
  return std::string(path.substr(0, path.find('/')));
}

std::string row_of(const std::string& folder) {
  return folder.starts_with("backend/") ? "backend/*" : folder;
}

struct Include {
  std::string header;
  bool quoted;
};

std::optional<Include> include_in(std::string_view line) {
  const auto skip_spaces = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  for (const std::string_view word : {"#", "include"}) {
    skip_spaces();
    if (!line.starts_with(word))
      return std::nullopt;
    line.remove_prefix(word.size());
  }
  skip_spaces();
  if (!line.starts_with('"') && !line.starts_with('<'))
    return std::nullopt;
  const bool quoted = line.front() == '"';
  const auto end = line.find(quoted ? '"' : '>', 1);
  return Include{std::string(line.substr(1, end - 1)), quoted};
}

bool is_source(const fs::path& path) {
  static const Names endings{".c", ".cpp", ".def", ".f90", ".h", ".hpp"};
  return std::ranges::find(endings, path.extension().string()) != endings.end();
}

using Visit = std::function<void(const std::string& file, std::size_t line, std::string_view text)>;

void for_each_line(const fs::path& tree, std::initializer_list<std::string_view> folders,
                   const Visit& visit) {
  for (const std::string_view folder : folders) {
    if (!fs::exists(tree / folder))
      continue;
    for (const auto& entry : fs::recursive_directory_iterator(tree / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path()))
        continue;
      const std::string name = fs::relative(entry.path(), tree).generic_string();
      std::ifstream file(entry.path());
      std::string line;
      for (std::size_t number = 1; std::getline(file, line); ++number)
        visit(name, number, line);
    }
  }
}

using Check = std::function<std::optional<std::string>(const std::string& file, const Include&)>;

/// What `check` says of each include, with its place.
std::vector<Violation> check_includes(const fs::path& tree,
                                      std::initializer_list<std::string_view> folders,
                                      const Check& check) {
  std::vector<Violation> violations;
  for_each_line(tree, folders,
                [&](const std::string& file, std::size_t line, std::string_view text) {
                  if (const auto include = include_in(text))
                    if (auto what = check(file, *include))
                      violations.push_back({file, line, std::move(*what)});
                });
  return violations;
}

std::optional<std::string> check_arrow_in_src(const std::string& file, const Include& include) {
  if (!include.quoted)
    return std::nullopt;
  const std::string from = folder_of(std::string_view(file).substr(sizeof "src/" - 1));
  const auto row = arrows().find(row_of(from));
  if (row == arrows().end())
    return fmt::format("the table of arrows has no row for src/{}", from);
  if (include.header.find('/') == std::string::npos)
    return fmt::format("\"{}\" is included without its folder", include.header);
  const std::string to = folder_of(include.header);
  if (to == from || std::ranges::find(row->second, row_of(to)) != row->second.end())
    return std::nullopt;
  return fmt::format("{} may not include {} (\"{}\")", from, to, include.header);
}

/// Our programs are ordinary ones: they know their own folder, what programs share, kernels. The
/// server reports its progress, by the public header, as a program does that wants to be steered;
/// multisplitting marks its iterations, which do not look alike.
std::optional<std::string> check_arrow_in_apps(const std::string& file, const Include& include) {
  const std::string from = folder_of(std::string_view(file).substr(sizeof "apps/" - 1));
  const bool reports =
      (from == "server" || from == "multisplitting") && include.header == "hypermile/hypermile.h";
  if (!include.quoted)
    return include.header.starts_with("hypermile") && !reports
               ? std::optional("a program of apps/ may not know hypermile")
               : std::nullopt;
  const std::string to = folder_of(include.header);
  if (to == from || to == "common" || to == "kernels")
    return std::nullopt;
  return fmt::format("apps/{} may not include {} (\"{}\")", from, to, include.header);
}

} // namespace

std::vector<Violation> arrow_violations(const fs::path& tree) {
  auto violations = check_includes(tree, {"src"}, check_arrow_in_src);
  std::ranges::move(check_includes(tree, {"apps"}, check_arrow_in_apps),
                    std::back_inserter(violations));
  return violations;
}

std::vector<Violation> purity_violations(const fs::path& tree) {
  return check_includes(
      tree, {"src"},
      [](const std::string& file, const Include& include) -> std::optional<std::string> {
        const std::string folder = folder_of(std::string_view(file).substr(sizeof "src/" - 1));
        const bool pure = std::ranges::find(pure_folders, folder) != pure_folders.end();
        if (!pure || !names_header(impure_headers, include.header))
          return std::nullopt;
        return fmt::format("{} does no I/O and knows no clock, thread or environment: not <{}>",
                           folder, include.header);
      });
}

std::vector<Violation> simulator_violations(const fs::path& tree) {
  return check_includes(
      tree, {"src", "include"},
      [](const std::string& file, const Include& include) -> std::optional<std::string> {
        if (!names_header(simulator_headers, include.header) ||
            starts_with_one_of(file, simulator_places))
          return std::nullopt;
        return fmt::format("<{}> belongs in {}", include.header, fmt::join(simulator_places, ", "));
      });
}

std::vector<Violation> length_violations(const fs::path& tree) {
  std::vector<Violation> violations;
  for_each_line(
      tree, {"src", "apps", "include"},
      [&](const std::string& file, std::size_t line, std::string_view) {
        if (line == most_lines + 1)
          violations.push_back({file, line, fmt::format("has more than {} lines", most_lines)});
      });
  return violations;
}

std::string print(const std::vector<Violation>& violations) {
  std::string text;
  for (const auto& [file, line, what] : violations)
    text += fmt::format("{}:{}: {}\n", file, line, what);
  return text;
}

} // namespace hypermile::architecture
