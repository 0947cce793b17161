#include "cli/timeline_file.hpp"

#include "cli/output.hpp"

#include "io/text_file.hpp"
#include "report/steer_outcome.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace hypermile::cli {

TimelineFile::TimelineFile(const std::string& path) : path_(path) {
  if (path.empty())
    return;
  if (path.ends_with(".json")) {
    finish(); // a file that cannot be written is told of now, and not after hours
    return;
  }
  lines_.reset(std::fopen(path.c_str(), "we"));
  if (!lines_)
    throw Error(ErrorKind::config,
                fmt::format("cannot write the timeline {}: {}", path, std::strerror(errno)));
  write(session::csv_header());
}

void TimelineFile::add(const session::Row& row, const session::NodeLayout& node) {
  if (lines_)
    return write(session::csv_line(row, node.space));
  if (path_.empty())
    return;
  rows_.push_back(row);
  if (!space_)
    space_ = node.space;
}

void TimelineFile::finish() const {
  if (path_.empty() || lines_)
    return;
  // Without any row no configuration is looked up.
  const steer::Space none{
      {.sockets = 1, .cores_per_socket = 1, .gears = model::GearTable({Hertz{1}})}, {}};
  io::write_text_file(path_, report::timeline_json(rows_, space_ ? *space_ : none));
}

void TimelineFile::write(const std::string& line) {
  const bool written =
      std::fputs(line.c_str(), lines_.get()) >= 0 && std::fflush(lines_.get()) == 0;
  if (!written && !failed_)
    print_error(fmt::format("the timeline {} is not complete: {}", path_, std::strerror(errno)));
  failed_ = failed_ || !written;
}

} // namespace hypermile::cli
