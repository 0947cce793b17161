#include "cli/installation.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;

fs::path prefix() {
  fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for ([[maybe_unused]] const auto& part : fs::path(HYPERMILE_BINDIR))
    folder = folder.parent_path();
  return folder;
}

std::string existing(const fs::path& path) {
  if (!fs::exists(path))
    throw Error(ErrorKind::unsupported, fmt::format("{} is missing", path.string()),
                "make install, or make in the build tree, with SimGrid and MPI installed");
  return path;
}

} // namespace

std::string platform_folder() { return prefix() / HYPERMILE_DATADIR / "hypermile/platforms"; }
std::string data_folder() { return prefix() / HYPERMILE_DATADIR / "hypermile/data"; }
std::string reproduction_folder() {
  return prefix() / HYPERMILE_DATADIR / "hypermile/reproduction";
}
std::string model_folder() { return prefix() / HYPERMILE_DATADIR / "hypermile/models"; }
std::string installed_page() { return prefix() / HYPERMILE_DATADIR / "hypermile/report.html"; }
std::string example_folder() { return prefix() / "apps/smpi"; }
std::string library_folder() { return prefix() / HYPERMILE_LIBDIR / "hypermile"; }
std::string program_folder() { return prefix() / HYPERMILE_LIBEXECDIR / "hypermile"; }

std::string preloaded_library() {
  return existing(fs::path(library_folder()) / "libhypermile-preload.so");
}

std::string progress_library() {
  return existing(fs::path(library_folder()) / "libhypermile-progress.so");
}

#ifdef HYPERMILE_SIMGRID
simulate::Installation find_installation() {
  return {.smpimain = existing(HYPERMILE_SMPIMAIN),
          .interposer = existing(fs::path(library_folder()) / "libhypermile-smpi.so"),
          .list_hosts = existing(fs::path(program_folder()) / "hypermile-list-hosts"),
          .replay = existing(fs::path(program_folder()) / "hypermile-replay"),
          .platform_folder = existing(platform_folder()),
          .model_folder = existing(model_folder())};
}
#endif

} // namespace hypermile::cli
