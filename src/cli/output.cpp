#include "cli/output.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace hypermile::cli {

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) // open() takes the lowest free number
      (void)::open("/dev/null", O_RDONLY);
}

void print_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(ErrorKind::hardware, fmt::format("cannot write the results to standard output: {}",
                                                 std::strerror(errno)));
}

void print_remark(const std::string& text) {
  std::string safe; // what a file or an argument holds must not steer the terminal
  for (const char c : text)
    if (const bool control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
        control && c != '\n' && c != '\t')
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      safe += c;
  std::fputs(fmt::format("hypermile: {}\n", safe).c_str(), stderr);
}

void print_error(const std::string& text) { print_remark("error: " + text); }

} // namespace hypermile::cli
