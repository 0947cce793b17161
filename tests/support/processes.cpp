#include "support/processes.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hypermile::test {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream read; // which, unlike an iterator, takes it calmly if the process ends
  read << file.rdbuf();
  return read.str();
}

/// Folders in /proc of the processes in one of whose files the text is.
std::vector<fs::path> folders(const std::string& file, const std::string& text) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string id = entry.path().filename();
    if (std::ranges::all_of(id, [](unsigned char c) { return std::isdigit(c) != 0; }) &&
        content(entry.path() / file).find(text) != std::string::npos)
      found.push_back(entry.path());
  }
  return found;
}

std::vector<std::string> command_lines(const std::string& file, const std::string& text) {
  std::vector<std::string> found;
  for (const fs::path& folder : folders(file, text))
    found.push_back(content(folder / "cmdline"));
  return found;
}

} // namespace

std::vector<std::string> processes_with(const std::string& text) {
  return command_lines("cmdline", text);
}

std::vector<std::string> processes_started_with(const std::string& text) {
  return command_lines("environ", text);
}

std::vector<pid_t> processes_of(const std::string& path, const std::string& text) {
  std::vector<pid_t> found;
  for (const fs::path& folder : folders("environ", text)) {
    std::error_code gone;
    if (fs::read_symlink(folder / "exe", gone) == path)
      found.push_back(std::stoi(folder.filename()));
  }
  return found;
}

} // namespace hypermile::test
