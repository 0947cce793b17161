#include "sweep/fingerprint.hpp"

#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"
#include "units/checksum.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
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
std::string unit_of(const std::string& platform_file, const io::ComponentSource& components) {
  try {
    const auto work = io::load_platform(platform_file, components).ep_pair_work;
    return work ? fmt::format("{}", work->value()) : platform_file;
  } catch (const Error&) { // so says the simulation, too
    return platform_file;
  }
}

/// Whether the platform takes figures from components.
bool is_composed(const std::string& platform_file, const io::ComponentSource& components) {
  try {
    const auto platform = io::load_platform(platform_file, components);
    const auto& switches = platform.network.switches;
    return !platform.network.component.empty() || (switches && !switches->component.empty()) ||
           std::ranges::any_of(platform.groups,
                               [](const auto& group) { return !group.type.parts.empty(); });
  } catch (const Error&) { // so says the simulation, too
    return false;
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

io::ComponentSource Fingerprints::components() const {
  return {.platform_folder = surroundings_.platform_folder, .swaps = {}};
}

/// All components that there are: a swap may bring in any.
void Fingerprints::add_components(std::string& all, const std::string& platform_file) {
  if (!is_composed(platform_file, components()))
    return;
  for (const std::string& folder :
       {fs::path(platform_file).parent_path().string(), surroundings_.platform_folder})
    for (const std::string& name : io::names_in(io::component_folder(folder), ".yaml"))
      add(all, of_file(fs::path(io::component_folder(folder)) / fmt::format("{}.yaml", name)));
}

std::string Fingerprints::of(const study::Cell& cell) {
  std::string all = begin_of(surroundings_, cell);
  for (const std::string& word : cell.arguments)
    add_word(all, word);
  add(all, of_file(platform_file(cell)));
  add_components(all, platform_file(cell));
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
    add(all, unit_of(platform_file(cell), components()));
  return digits(all);
}

} // namespace hypermile::sweep
