#include "launch/result_file.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace hypermile::launch {

ResultFile::ResultFile() {
  const char* const wanted = std::getenv("TMPDIR");
  const std::filesystem::path parent = wanted == nullptr || *wanted == '\0' ? "/tmp" : wanted;
  folder_ = (parent / "hypermile-XXXXXX").string();
  if (::mkdtemp(folder_.data()) == nullptr)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot make a temporary folder {}: {}", folder_, std::strerror(errno)),
                "a TMPDIR that is writable");
  path_ = folder_ + "/result.json";
  io::write_text_file(path_, "");
}

ResultFile::~ResultFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

bool ResultFile::has_begun() const { return !io::read_text_file(path_).empty(); }

std::optional<runtime::RunReport> ResultFile::read() const {
  const std::string text = io::read_text_file(path_);
  if (text.empty() || text == runtime::run_has_begun)
    return std::nullopt;
  return runtime::parse_run(text);
}

} // namespace hypermile::launch
