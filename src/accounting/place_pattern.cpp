#include "accounting/place_pattern.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::accounting {
namespace {

std::string as_name(std::string text) {
  std::ranges::replace(text, '/', '_');
  return text == "." || text == ".." ? "_" : text;
}

} // namespace

std::string put_in(const std::string& pattern, const Step& step, const std::string& node, int pid) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      name += pattern[i];
      continue;
    }
    const char what = ++i < pattern.size() ? pattern[i] : '\0';
    if (what == 'j')
      name += step.job ? std::to_string(*step.job) : "nojob";
    else if (what == 's')
      name += step.job ? as_name(step.step) : std::to_string(pid);
    else if (what == 'u')
      name += as_name(step.user);
    else if (what == 'n')
      name += as_name(node);
    else if (what == '%')
      name += '%';
    else
      throw Error(ErrorKind::config,
                  fmt::format("'{}' has a % that means nothing; %j is the job, %s the step, %u the "
                              "user, %n the node, %% a %",
                              pattern));
  }
  return name;
}

void check_pattern(const std::string& pattern) { (void)put_in(pattern, {}, "", 0); }

} // namespace hypermile::accounting
