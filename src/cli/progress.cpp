#include "cli/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <unistd.h>

namespace hypermile::cli {

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

simulate::Progress ProgressLine::callbacks() {
  return {.step = [this](const std::string& text) { step(text); },
          .status = [this](const std::string& text) { status(text); }};
}

void ProgressLine::clear() {
  if (shown_)
    std::fputs("\r\033[K", stderr);
  shown_ = false;
}

void ProgressLine::step(const std::string& text) {
  if (quiet_)
    return;
  clear();
  fmt::print(stderr, "hypermile: {}\n", text);
}

void ProgressLine::status(const std::string& text) {
  if (quiet_ || !terminal_ || text.empty())
    return;
  constexpr std::size_t width = 79;
  fmt::print(stderr, "\r\033[K{}", text.substr(0, width));
  std::fflush(stderr);
  shown_ = true;
}

} // namespace hypermile::cli
