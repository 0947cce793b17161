#include "support/fake_sysfs.hpp"

#include <filesystem>
#include <fstream>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using Driver = FakeSysfs::Driver;
using Files = std::map<std::string, std::string>;

Files files_of(Driver driver) {
  switch (driver) {
  case Driver::acpi_cpufreq:
    return {{"scaling_driver", "acpi-cpufreq"},
            {"scaling_available_frequencies", "2601000 2600000 2400000 2000000 1600000 1200000 "},
            {"scaling_available_governors", "ondemand userspace performance"},
            {"scaling_governor", "ondemand"},
            {"cpuinfo_max_freq", "2601000"},
            {"cpuinfo_min_freq", "1200000"}};
  case Driver::intel_pstate:
    return {{"scaling_driver", "intel_pstate"},
            {"scaling_available_governors", "performance powersave"},
            {"scaling_governor", "powersave"},
            {"cpuinfo_max_freq", "3500000"},
            {"cpuinfo_min_freq", "800000"}};
  case Driver::intel_cpufreq:
    return {{"scaling_driver", "intel_cpufreq"},
            {"scaling_available_governors", "schedutil performance userspace"},
            {"scaling_governor", "schedutil"},
            {"cpuinfo_max_freq", "3500000"},
            {"cpuinfo_min_freq", "800000"}};
  case Driver::amd_pstate:
    return {{"scaling_driver", "amd-pstate-epp"},
            {"scaling_available_governors", "performance powersave"},
            {"scaling_governor", "powersave"},
            {"cpuinfo_max_freq", "3350000"},
            {"cpuinfo_min_freq", "400000"}};
  }
  return {};
}

/// As a whole, for those who read it meanwhile.
void write_file(const fs::path& path, const std::string& value) {
  fs::create_directories(path.parent_path());
  const fs::path temporary = path.string() + ".new";
  std::ofstream(temporary) << value << '\n';
  fs::rename(temporary, path);
}

} // namespace

FakeSysfs::FakeSysfs(Driver driver, const std::vector<std::vector<int>>& domains) {
  for (const auto& cpus : domains)
    add_policy(driver, cpus);
  if (driver == Driver::acpi_cpufreq)
    write_of_machine("cpufreq/boost", "1");
  if (driver == Driver::intel_pstate || driver == Driver::intel_cpufreq)
    write_of_machine("intel_pstate/no_turbo", "0");
}

void FakeSysfs::add_policy(Driver driver, const std::vector<int>& cpus) {
  const int number = cpus.front();
  std::string list;
  for (const int cpu : cpus)
    list += (list.empty() ? "" : " ") + std::to_string(cpu);
  Files files = files_of(driver);
  files["related_cpus"] = list;
  files["affected_cpus"] = list;
  files["scaling_max_freq"] = files["cpuinfo_max_freq"];
  files["scaling_min_freq"] = files["cpuinfo_min_freq"];
  files["scaling_cur_freq"] = files["cpuinfo_min_freq"];
  files["scaling_setspeed"] = "<unsupported>";
  for (const auto& [name, value] : files)
    write_file(path(number, name), value);
  for (const int cpu : cpus) {
    const fs::path folder = fs::path(root()) / "devices/system/cpu" / ("cpu" + std::to_string(cpu));
    fs::create_directories(folder);
    fs::create_directory_symlink("../cpufreq/policy" + std::to_string(number), folder / "cpufreq");
  }
  policies_.push_back(number);
}

std::string FakeSysfs::path(int number, const std::string& file) const {
  return root() + "/devices/system/cpu/cpufreq/policy" + std::to_string(number) + "/" + file;
}

std::string FakeSysfs::read(int number, const std::string& file) const {
  std::ifstream stream(path(number, file));
  std::string line;
  std::getline(stream, line);
  return line;
}

void FakeSysfs::write(int number, const std::string& file, const std::string& value) const {
  write_file(path(number, file), value);
}

void FakeSysfs::write_of_machine(const std::string& file, const std::string& value) const {
  write_file(root() + "/devices/system/cpu/" + file, value);
}

void FakeSysfs::add_uncore(const std::string& name) {
  uncore_.push_back(name);
  for (const char* prefix : {"", "initial_"}) {
    write_file(uncore_path(name, prefix + std::string("max_freq_khz")), "2400000");
    write_file(uncore_path(name, prefix + std::string("min_freq_khz")), "800000");
  }
}

std::string FakeSysfs::uncore_path(const std::string& name, const std::string& file) const {
  return root() + "/devices/system/cpu/intel_uncore_frequency/" + name + "/" + file;
}

std::string FakeSysfs::read_uncore(const std::string& name, const std::string& file) const {
  std::ifstream stream(uncore_path(name, file));
  std::string line;
  std::getline(stream, line);
  return line;
}

std::map<std::string, std::string> FakeSysfs::settings() const {
  std::map<std::string, std::string> values;
  for (const std::string& name : uncore_)
    for (const char* file : {"max_freq_khz", "min_freq_khz"})
      values[uncore_path(name, file)] = read_uncore(name, file);
  for (const int number : policies_)
    for (const char* file :
         {"scaling_governor", "scaling_max_freq", "scaling_min_freq", "scaling_setspeed"})
      values[path(number, file)] = read(number, file);
  return values;
}

} // namespace hypermile::test
