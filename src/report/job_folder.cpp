#include "report/job_folder.hpp"

#include "io/text_file.hpp"
#include "report/job_json.hpp"
#include "report/job_text.hpp"

#include <filesystem>
#include <system_error>

namespace hypermile::report {

void write_job(const Job& job, const std::string& folder) {
  std::error_code ignored; // what is wrong is told when the files are written
  std::filesystem::create_directories(folder, ignored);
  io::write_text_file(folder + "/run.txt", job_text(job));
  io::write_text_file(folder + "/run.json", job_json(job));
}

} // namespace hypermile::report
