#include "report/job_folder.hpp"

#include "io/text_file.hpp"
#include "report/job_json.hpp"
#include "report/job_text.hpp"

namespace hypermile::report {

void write_job(const Job& job, const std::string& folder) {
  io::write_text_file(folder + "/run.txt", job_text(job));
  io::write_text_file(folder + "/run.json", job_json(job));
}

} // namespace hypermile::report
