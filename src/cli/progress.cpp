#include "cli/progress.hpp"

#include "cli/output.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace hypermile::cli {
namespace {

constexpr const char* erase_line = "\r\033[K";

bool can_rewrite_lines() {
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

/// What fits a line of the terminal, which may change its width at any time.
std::size_t line_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1U : 79U;
}

} // namespace

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(can_rewrite_lines()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_)
    std::fputs(erase_line, stderr);
  shown_ = false;
}

void ProgressLine::step(const std::string& text) {
  if (quiet_)
    return;
  clear();
  print_remark(text);
}

void ProgressLine::status(const std::string& text) {
  if (quiet_ || !terminal_ || text.empty())
    return;
  std::fputs((erase_line + text.substr(0, line_width())).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::printed(const std::string& line) {
  clear();
  std::fputs((line + "\n").c_str(), stderr);
}

} // namespace hypermile::cli
