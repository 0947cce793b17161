#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace hypermile::test {

/// The part of a sysfs that shows energy counters, below a folder of the test's.
class FakePowercap {
public:
  explicit FakePowercap(const std::filesystem::path& sysfs) : zones_(sysfs / "class/powercap") {
    std::filesystem::create_directories(zones_);
  }

  /// A zone such as "intel-rapl:0" with a name such as "package-0".
  void zone(const std::string& entry, const std::string& name, std::uint64_t energy_uj = 0,
            std::uint64_t range_uj = 262143328850) const {
    std::filesystem::create_directories(zones_ / entry);
    write(entry, "name", name);
    write(entry, "max_energy_range_uj", std::to_string(range_uj));
    count(entry, energy_uj);
  }
  /// The power limits of a zone, over a second and over less, as Intel's processors have them.
  void limit(const std::string& entry, std::uint64_t limit_uw, std::uint64_t most_uw = 0,
             bool enabled = true) const {
    write(entry, "enabled", enabled ? "1" : "0");
    write(entry, "constraint_0_name", "long_term");
    write(entry, "constraint_0_power_limit_uw", std::to_string(limit_uw));
    write(entry, "constraint_0_max_power_uw", std::to_string(most_uw));
    write(entry, "constraint_0_time_window_us", "999424");
    write(entry, "constraint_1_name", "short_term");
    write(entry, "constraint_1_power_limit_uw", std::to_string(2 * limit_uw));
    write(entry, "constraint_1_max_power_uw", "0");
    write(entry, "constraint_1_time_window_us", "7808");
  }
  [[nodiscard]] std::string path(const std::string& entry, const std::string& file) const {
    return (zones_ / entry / file).string();
  }
  [[nodiscard]] std::string read(const std::string& entry, const std::string& file) const {
    std::ifstream stream(path(entry, file));
    std::string line;
    std::getline(stream, line);
    return line;
  }
  /// All that can be set: path and value.
  [[nodiscard]] std::map<std::string, std::string> settings() const {
    std::map<std::string, std::string> values;
    for (const auto& zone : std::filesystem::directory_iterator(zones_))
      for (const auto& file : std::filesystem::directory_iterator(zone.path())) {
        const std::string name = file.path().filename();
        if (name == "enabled" || name.ends_with("_power_limit_uw"))
          values[file.path()] = read(zone.path().filename(), name);
      }
    return values;
  }
  void count(const std::string& entry, std::uint64_t energy_uj) const {
    write(entry, "energy_uj", std::to_string(energy_uj));
  }
  /// As a whole, for those who read it meanwhile.
  void write(const std::string& entry, const std::string& file, const std::string& text) const {
    const std::filesystem::path path = zones_ / entry / file;
    const std::filesystem::path temporary = path.string() + ".new";
    std::ofstream(temporary) << text << '\n';
    std::filesystem::rename(temporary, path);
  }
  /// Makes the counter one that nobody can read, not even root: a folder in its place.
  void forbid(const std::string& entry) const {
    std::filesystem::remove_all(zones_ / entry / "energy_uj");
    std::filesystem::create_directory(zones_ / entry / "energy_uj");
  }
  void remove(const std::string& entry) const { std::filesystem::remove_all(zones_ / entry); }

private:
  std::filesystem::path zones_;
};

} // namespace hypermile::test
