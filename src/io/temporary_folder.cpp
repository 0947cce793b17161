#include "io/temporary_folder.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace hypermile::io {

TemporaryFolder::TemporaryFolder(const char* otherwise) {
  const char* const wanted = std::getenv("TMPDIR");
  const std::filesystem::path parent = wanted == nullptr || *wanted == '\0' ? "/tmp" : wanted;
  const auto make_in = [this](const std::filesystem::path& place) {
    std::string name = (place / "hypermile-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr)
      path_ = name;
    return !path_.empty();
  };
  if (make_in(parent) || (otherwise != nullptr && make_in(otherwise)))
    return;
  throw Error(ErrorKind::hardware,
              fmt::format("cannot make a temporary folder {}: {}",
                          (parent / "hypermile-XXXXXX").string(), std::strerror(errno)),
              "a TMPDIR that is writable");
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace hypermile::io
