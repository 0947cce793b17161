#include "simulate/workspace.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace hypermile::simulate {
namespace {

[[noreturn]] void cannot_keep(const std::string& folder, const std::string& reason) {
  throw Error(ErrorKind::hardware, fmt::format("cannot keep the report in {}: {}", folder, reason),
              "a folder that is writable and has space left");
}

} // namespace

void Workspace::check_space(std::uintmax_t bytes, const std::string& purpose) const {
  std::error_code unknown;
  const auto space = std::filesystem::space(folder_.path(), unknown);
  if (unknown || space.available >= bytes)
    return;
  constexpr double mega = 1e6;
  throw Error(ErrorKind::hardware,
              fmt::format("{} needs {:.1f} MB in {}, which has {:.1f} MB left", purpose,
                          static_cast<double>(bytes) / mega, folder_.path().parent_path().string(),
                          static_cast<double>(space.available) / mega),
              "a TMPDIR with more space");
}

void Workspace::keep_in(const std::string& folder) const {
  namespace fs = std::filesystem;
  make_folder(folder);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    const auto name = entry.path().filename();
    const auto kind = name.extension();
    if (!error && (kind == ".out" || kind == ".txt" || kind == ".xml" || kind == ".run"))
      fs::copy_file(entry.path(), fs::path(folder) / name, fs::copy_options::overwrite_existing,
                    error);
  }
  if (error)
    cannot_keep(folder, error.message());
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    cannot_keep(folder, error.message());
  if (::access(folder.c_str(), W_OK) != 0)
    cannot_keep(folder, std::strerror(errno));
}

} // namespace hypermile::simulate
