#include "accounting/job_lines.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::accounting {

std::vector<JobLine> parse_job_lines(std::string_view text, const std::string& file) {
  std::vector<JobLine> jobs;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string where = fmt::format("{}:{}", file, number);
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      throw Error(ErrorKind::config, fmt::format("{}: the line has no end", where),
                  "the same again, if a job is just ending; else remove the line");
    jobs.push_back(parse_job_line(text.substr(0, end), where));
    text.remove_prefix(end + 1);
  }
  return jobs;
}

} // namespace hypermile::accounting
