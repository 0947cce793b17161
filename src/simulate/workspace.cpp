#include "simulate/workspace.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace hypermile::simulate {

Workspace::Workspace() {
  std::string name = (std::filesystem::temp_directory_path() / "hypermile-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot make a temporary folder {}: {}", name, std::strerror(errno)),
                "a TMPDIR that is writable");
  folder_ = name;
}

Workspace::~Workspace() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void Workspace::keep_in(const std::string& folder) const {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const auto name = entry.path().filename();
    const auto kind = name.extension();
    if (!error && (kind == ".out" || kind == ".txt" || kind == ".xml"))
      fs::copy_file(entry.path(), fs::path(folder) / name, fs::copy_options::overwrite_existing,
                    error);
  }
  if (error)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot keep the report in {}: {}", folder, error.message()),
                "a folder that is writable and has space left");
}

} // namespace hypermile::simulate
