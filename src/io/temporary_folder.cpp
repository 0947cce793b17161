#include "io/temporary_folder.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace hypermile::io {

TemporaryFolder::TemporaryFolder() {
  const char* const wanted = std::getenv("TMPDIR");
  const std::filesystem::path parent = wanted == nullptr || *wanted == '\0' ? "/tmp" : wanted;
  std::string name = (parent / "hypermile-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot make a temporary folder {}: {}", name, std::strerror(errno)),
                "a TMPDIR that is writable");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace hypermile::io
