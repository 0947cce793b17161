#include "sweep/results_folder.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

namespace hypermile::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* recordings = "recordings";

/// Of a platform only the last part: it may be a path.
std::string in_file_name(const std::string& word) {
  constexpr std::size_t longest = 40;
  std::string text = fs::path(word).filename().string().substr(0, longest);
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '+' &&
        c != '.')
      c = '_';
  return text;
}

/// "cg-A-8-r2": what the cells on all platforms share.
std::string name_of(const study::Cell& cell) {
  return fmt::format("{}{}{}-{}{}", cell.program, cell.class_name.empty() ? "" : "-",
                     cell.class_name, cell.ranks,
                     cell.repetition == 1 ? "" : fmt::format("-r{}", cell.repetition));
}

} // namespace

std::string ResultsFolder::file_of(const Place& place) const {
  return fs::path(path_) / fmt::format("{}-{}-{}.json", name_of(place.cell),
                                       in_file_name(place.cell.platform), place.fingerprint);
}

std::string ResultsFolder::recording_of(const Place& place) const {
  if (place.recording.empty())
    return "";
  return fs::path(path_) / recordings /
         fmt::format("{}-{}.txt", name_of(place.cell), place.recording);
}

study::Outcome ResultsFolder::find(const Place& place) const {
  const std::string file = file_of(place);
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown))
    return {};
  try {
    return io::parse_cell_result(io::read_text_file(file), file, place.fingerprint);
  } catch (const Error&) { // cut off, by a full disk or a crash of the machine: done again
    return {};
  }
}

void ResultsFolder::keep(const Place& place, const study::Outcome& outcome,
                         const std::string& simulation) const {
  io::write_text_file(file_of(place), io::print_cell_result({.cell = place.cell,
                                                             .fingerprint = place.fingerprint,
                                                             .outcome = outcome,
                                                             .simulation = simulation}));
}

FileLock ResultsFolder::lock(FileLock::Kind kind) const {
  std::error_code error;
  fs::create_directories(fs::path(path_) / recordings, error);
  if (error)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot make the folder {}: {}", path_, error.message()),
                "another folder for the results, one that you may write");
  auto lock = FileLock::attempt(fs::path(path_) / ".lock", kind);
  if (!lock)
    throw Error(ErrorKind::hardware, fmt::format("another sweep works in {}", path_),
                "wait for its end, or name another folder for the results");
  return std::move(*lock);
}

} // namespace hypermile::sweep
