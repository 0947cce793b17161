#include "report/job_folder.hpp"

#include "io/text_file.hpp"
#include "report/job_json.hpp"
#include "report/job_text.hpp"
#include "report/loop_course.hpp"
#include "units/error.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <system_error>

namespace hypermile::report {

void write_job(const Job& job, const std::string& folder) {
  std::error_code ignored; // what is wrong is told when the files are written
  std::filesystem::create_directories(folder, ignored);
  io::write_text_file(folder + "/run.txt", job_text(job));
  io::write_text_file(folder + "/run.json", job_json(job));
  const std::string loop_file = folder + "/loop.json";
  std::filesystem::remove(loop_file, ignored); // of an earlier run
  if (!job.run.example)
    return;
  try {
    io::write_text_file(loop_file, loop_course(job.run, *job.run.example).dump() + "\n");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::model) // else the events make no sense: there is nothing to show
      throw;
  }
}

} // namespace hypermile::report
