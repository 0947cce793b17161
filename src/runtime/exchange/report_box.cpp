#include "runtime/exchange/report_box.hpp"

#include "control/place.hpp"
#include "io/text_file.hpp"

#include <exception>
#include <string_view>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hypermile::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view box_prefix = "hypermile-"; ///< of the folders of io::TemporaryFolder
constexpr const char* report_entry = "result.json";
/// The name of the command's node. Other nodes that see the folder may not see its lock.
constexpr const char* node_entry = "node";

control::Descriptor open_folder(const fs::path& folder) {
  return control::Descriptor(
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_ours(const control::Descriptor& folder) {
  struct stat about {};
  return ::fstat(folder.number(), &about) == 0 && about.st_uid == ::geteuid();
}

/// Several may look at once, so the lock that they try is a shared one.
bool is_abandoned(const fs::path& folder) {
  if (!folder.filename().string().starts_with(box_prefix) || !fs::exists(folder / node_entry) ||
      io::read_text_file(folder / node_entry) != control::node_name())
    return false;
  const control::Descriptor opened = open_folder(folder);
  return opened.number() >= 0 && is_ours(opened) &&
         ::flock(opened.number(), LOCK_SH | LOCK_NB) == 0;
}

/// Only what is known to be in it.
void take_away(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder / report_entry, ignored);
  fs::remove(folder / node_entry, ignored);
  fs::remove(folder, ignored);
}

void take_away_abandoned_in(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with(box_prefix))
      (void)take_away_abandoned(entry->path() / report_entry);
}

} // namespace

/// The node's name comes last: until then nobody takes the folder for abandoned.
ReportBox::ReportBox() : lock_(open_folder(folder_.path())) {
  take_away_abandoned_in(folder_.path().parent_path());
  io::write_text_file(file(), "");
  if (lock_.number() >= 0 && ::flock(lock_.number(), LOCK_EX | LOCK_NB) == 0)
    io::write_text_file(folder_.path() / node_entry, control::node_name());
}

std::string ReportBox::file() const { return folder_.path() / report_entry; }

std::string ReportBox::content() const { return io::read_text_file(file()); }

bool hand_over(const std::string& text, const std::string& file) {
  std::error_code ignored;
  if (file.empty() || take_away_abandoned(file) || !fs::exists(file, ignored))
    return false;
  io::write_text_file(file, text);
  return true;
}

bool take_away_abandoned(const std::string& file) noexcept {
  try {
    const fs::path folder = fs::path(file).parent_path();
    const bool abandoned = is_abandoned(folder);
    if (abandoned)
      take_away(folder);
    return abandoned;
  } catch (const std::exception&) { // it goes away meanwhile, or there is no memory
    return false;
  }
}

} // namespace hypermile::runtime
