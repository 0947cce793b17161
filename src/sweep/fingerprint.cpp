#include "sweep/fingerprint.hpp"

#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"
#include "units/checksum.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hypermile::sweep {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

/// Each text with its length, so that no two lists of texts become the same.
void add(std::string& all, const std::string& text) {
  all += fmt::format("{}:{}\n", text.size(), text);
}

std::string begin_of(const Surroundings& surroundings, const study::Cell& cell) {
  return fmt::format("{}\n{}\n", surroundings.version, cell.repetition);
}

/// In which the platform counts work: as measured here, times the work of a pair of NAS EP.
std::string unit_of(const std::string& platform_file) {
  try {
    const auto work = io::load_platform(platform_file).ep_pair_work;
    return work ? fmt::format("{}", work->value()) : platform_file;
  } catch (const Error&) { // so says the simulation, too
    return platform_file;
  }
}

std::string digits(const std::string& text) { return fmt::format("{:016x}", checksum(text)); }

} // namespace

std::string Fingerprints::of_file(const std::string& path) {
  const auto known = known_.find(path);
  if (known != known_.end())
    return known->second;
  return known_[path] = is_file(path) ? digits(io::read_text_file(path)) : "";
}

/// A word with what is in the files that it names.
void Fingerprints::add_word(std::string& all, const std::string& word) {
  const fs::path folder(surroundings_.study_folder);
  add(all, word);
  add(all, of_file(folder / word));
  if (const auto equals = word.find('='); equals != std::string::npos)
    add(all, of_file(folder / word.substr(equals + 1)));
}

/// A file of the study comes before a bundled platform of the same name.
std::string Fingerprints::platform_file(const study::Cell& cell) const {
  const fs::path own = fs::path(surroundings_.study_folder) / cell.platform;
  return is_file(own) ? own : fs::path(surroundings_.platform_folder) / (cell.platform + ".yaml");
}

std::string Fingerprints::of(const study::Cell& cell) {
  std::string all = begin_of(surroundings_, cell);
  for (const std::string& word : cell.arguments)
    add_word(all, word);
  add(all, of_file(platform_file(cell)));
  return digits(all);
}

std::string Fingerprints::of_recording(const study::Cell& cell) {
  if (cell.recorder.empty())
    return "";
  std::string all = begin_of(surroundings_, cell);
  bool unit_is_given = false;
  for (const std::string& word : cell.recorder) {
    unit_is_given = unit_is_given || word.starts_with("--reference-speed=");
    if (!word.starts_with("--platform="))
      add_word(all, word);
  }
  if (!unit_is_given)
    add(all, unit_of(platform_file(cell)));
  return digits(all);
}

} // namespace hypermile::sweep
