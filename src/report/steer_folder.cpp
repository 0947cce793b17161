#include "report/steer_folder.hpp"

#include "io/text_file.hpp"
#include "report/steer_outcome.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace hypermile::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* text_name = "steer.txt";
constexpr const char* json_name = "steer.json";

} // namespace

void prepare_steer_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const char* const name : {text_name, json_name})
    if (!error)
      fs::remove(fs::path(folder) / name, error);
  if (error)
    throw Error(ErrorKind::config,
                fmt::format("cannot make the folder {}: {}", folder, error.message()),
                "a folder that can be written");
}

void write_steer(const std::string& program, const session::Outcome& outcome,
                 const std::string& folder) {
  io::write_text_file(fs::path(folder) / text_name, steer_text(program, outcome));
  io::write_text_file(fs::path(folder) / json_name, steer_json(program, outcome));
}

} // namespace hypermile::report
