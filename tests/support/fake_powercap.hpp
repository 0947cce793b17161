#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
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
