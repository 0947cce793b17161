#include "backend/progress/shared_progress.hpp"

#include "control/small_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace hypermile::backend::progress {
namespace {

namespace fs = std::filesystem;

bool names_memory(const fs::path& link) {
  std::error_code gone;
  const std::string target = fs::read_symlink(link, gone).string();
  return target.starts_with(std::string("/memfd:") + hypermile::progress::memory_name);
}

bool has_ended(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::no_such_process;
}

} // namespace

SharedProgress::SharedProgress(Processes processes, Source source)
    : processes_(std::move(processes)),
      source_(source), own_{.memory = SharedMemory::make(), .process = ::getpid(), .counts = {}} {}

std::string SharedProgress::environment() const {
  return fmt::format("/proc/{}/fd/{}", own_.process, own_.memory.descriptor());
}

std::optional<control::Done> SharedProgress::done() {
  look(processes_());
  tell_threads();
  const Counts counts = read();
  const double items = items_of(counts);
  reported_ = reported_ || items > 0 || counts.arrivals > 0;
  if (!reported_)
    return std::nullopt;
  control::Done done{.items = items, .arrivals = std::nullopt};
  if (counts.arrivals > 0)
    done.arrivals = counts.arrivals;
  return done;
}

double SharedProgress::items_of(const Counts& counts) {
  if (source_ == Source::calls)
    return counts.items;
  if (source_ == Source::automatic && counts.items > 0 && !before_calls_)
    before_calls_ = reported_ ? counts.openmp_items : 0;
  return before_calls_ ? *before_calls_ + counts.items : counts.openmp_items;
}

/// A process may make its memory at any time, and a server have thousands of files: as long as
/// nothing has been reported all are looked at each time, and from then on new processes only, and
/// now and then all.
void SharedProgress::look(const Running& running) {
  constexpr unsigned calls_between_looks = 10;
  const bool at_all = !reported_ || calls_until_look_ == 0;
  if (at_all) {
    known_.clear();
    obstacle_.clear();
    calls_until_look_ = calls_between_looks;
  }
  --calls_until_look_;
  std::erase_if(
      known_, [&](pid_t process) { return std::ranges::find(running, process) == running.end(); });
  for (const pid_t process : running)
    if (known_.insert(process).second)
      look_into(process);
  if (at_all)
    forget_ended(running);
}

void SharedProgress::look_into(pid_t process) {
  const std::string folder = fmt::format("/proc/{}/fd", process);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (names_memory(entry->path()))
      open(process, entry->path().string());
  if (error && !has_ended(error))
    obstacle_ = control::FileError("cannot read " + folder, error.value(),
                                   "as the user whose program it is, or root")
                    .what();
}

void SharedProgress::open(pid_t process, const std::string& link) {
  try {
    SharedMemory memory = SharedMemory::open(link);
    const SharedMemory::Id id = memory.id();
    if (id == own_.memory.id())
      return;
    if (const auto known = found_.find(id); known != found_.end())
      known->second.process = process;
    else
      found_.emplace(id, Found{.memory = std::move(memory), .process = process, .counts = {}});
  } catch (const Error& error) {
    obstacle_ = error.what();
  }
}

/// Memories are kept after the end of their processes, which may have been left out by mistake, as
/// long as they are not too many.
void SharedProgress::forget_ended(const Running& running) {
  constexpr std::size_t most_memories = 256;
  if (found_.size() <= most_memories)
    return;
  std::erase_if(found_, [&](const auto& entry) {
    const Found& found = entry.second;
    if (std::ranges::find(running, found.process) != running.end())
      return false;
    ended_ += larger(found.counts, found.memory.counts());
    return true;
  });
}

Counts SharedProgress::read() {
  own_.counts = larger(own_.counts, own_.memory.counts());
  Counts sum = own_.counts;
  sum += ended_;
  for (auto& [id, found] : found_) {
    found.counts = larger(found.counts, found.memory.counts());
    sum += found.counts;
  }
  return sum;
}

bool SharedProgress::want_threads(std::size_t threads) {
  wanted_threads_ = static_cast<std::uint32_t>(std::min<std::size_t>(threads, INT_MAX));
  tell_threads();
  return any(&SharedMemory::resizable);
}

void SharedProgress::tell_threads() {
  own_.memory.want_threads(wanted_threads_);
  for (auto& [id, found] : found_)
    found.memory.want_threads(wanted_threads_);
}

bool SharedProgress::any(bool (SharedMemory::*is_so)() const) const {
  return (own_.memory.*is_so)() || std::ranges::any_of(found_, [=](const auto& entry) {
           return (entry.second.memory.*is_so)();
         });
}

std::string SharedProgress::why_not() const {
  if (reported_)
    return "";
  if (!obstacle_.empty())
    return obstacle_;
  if (source_ == Source::openmp && !any(&SharedMemory::has_openmp))
    return "the program has no OpenMP runtime that says what it does, as LLVM's does and GNU's "
           "does not; try: build it with 'clang -fopenmp', or preload LLVM's libomp.so.5";
  return "";
}

} // namespace hypermile::backend::progress
