#include "launch/result_file.hpp"

#include "io/text_file.hpp"

namespace hypermile::launch {

ResultFile::ResultFile() { io::write_text_file(path_, ""); }

bool ResultFile::has_begun() const { return !io::read_text_file(path_).empty(); }

std::optional<runtime::RunReport> ResultFile::read() const {
  const std::string text = io::read_text_file(path_);
  if (text.empty() || text == runtime::run_has_begun)
    return std::nullopt;
  return runtime::decode_run({text.begin(), text.end()});
}

} // namespace hypermile::launch
