#include "simulate/failure.hpp"

#include "simulate/rank_states.hpp"

#include "io/text_file.hpp"
#include "runtime/pmpi/functions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <sstream>

#include <elf.h>
#include <unistd.h>

namespace hypermile::simulate {
namespace {

using runtime::RankStatus;

/// What SimGrid says of a program that ends badly; the message above it says it better.
bool is_simulators_remark(const std::string& line) {
  if (line.starts_with("  ->"))
    return true;
  const auto has = [&](const char* text) { return line.find(text) != line.npos; };
  return line[0] == '[' && (has("/INFO]") || has("[ker_engine/") || has("MPI_Abort was called") ||
                            has("SMPI process did not return 0"));
}

/// What the program printed last, without the simulator's own remarks and backtraces.
std::string last_lines(const std::string& text) {
  constexpr std::size_t most = 10;
  std::deque<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    if (line.empty() || is_simulators_remark(line))
      continue;
    lines.push_back(line);
    if (lines.size() > most)
      lines.pop_front();
  }
  return lines.empty() ? ""
                       : fmt::format("\nthe end of what the program printed:\n  {}",
                                     fmt::join(lines, "\n  "));
}

/// What the runtime inside the program complained about, if it did.
std::optional<std::string> own_complaint(const std::string& text) {
  constexpr std::string_view mark = "hypermile: error: ";
  const auto begin = text.find(mark);
  if (begin == std::string::npos)
    return std::nullopt;
  return text.substr(begin + mark.size(), text.find('\n', begin) - begin - mark.size());
}

bool never_initialised(const runtime::StatusFile& status) {
  for (std::size_t i = 0; i < status.ranks(); ++i)
    if (status.rank(i).state.load() != RankStatus::not_started)
      return false;
  return true;
}

/// The rank that ended the program for all, if one did.
std::optional<std::size_t> rank_that_ended(const runtime::StatusFile& status) {
  for (std::size_t i = 0; i < status.ranks(); ++i)
    if (status.rank(i).state.load() == RankStatus::aborted || status.rank(i).exit_code.load() != 0)
      return i;
  return std::nullopt;
}

bool any_in_finalize(const runtime::StatusFile& status) {
  for (std::size_t i = 0; i < status.ranks(); ++i) {
    const RankStatus& rank = status.rank(i);
    const auto function = static_cast<runtime::pmpi::Function>(rank.function.load());
    if (rank.state.load() == RankStatus::finalized ||
        (rank.in_mpi.load() != 0 && function == runtime::pmpi::Function::Finalize))
      return true;
  }
  return false;
}

/// A program for SMPI is a shared object with a main(): it asks for no dynamic loader.
bool is_shared_object(const std::string& file) {
  const std::string bytes = io::read_text_file(file);
  Elf64_Ehdr header{};
  if (bytes.size() < sizeof header)
    return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_DYN)
    return false;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const std::size_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment{};
    if (at + sizeof segment > bytes.size())
      return false;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type == PT_INTERP)
      return false;
  }
  return true;
}

std::string ended(const runtime::StatusFile& status, std::size_t rank) {
  const RankStatus& own = status.rank(rank);
  return fmt::format("rank {} {} {}:{}", rank,
                     own.state.load() == RankStatus::aborted ? "called MPI_Abort with code"
                                                             : "ended the program with exit code",
                     own.exit_code.load(), rank_states(status, Ending::cut_off));
}

std::string deadlock(const runtime::StatusFile& status) {
  return (any_in_finalize(status)
              ? "deadlock, some ranks have reached MPI_Finalize and the others never will:"
              : "deadlock, the ranks wait for each other for ever:") +
         rank_states(status, Ending::over);
}

std::string crash(const runtime::StatusFile& status, int signal) {
  const auto rank = static_cast<std::size_t>(status.running().load());
  return fmt::format("rank {} crashed ({}):\n  {}", rank, ::strsignal(signal),
                     rank_state(rank, status));
}

std::string no_init(const Process::End& end) {
  if (end.signal != 0)
    return fmt::format("the program crashed ({}) before MPI_Init", ::strsignal(end.signal));
  return "no rank called MPI_Init; hypermile can only work with MPI programs";
}

/// It ended by itself, but not as it should.
std::string other_end(const runtime::StatusFile& status, int exit_code) {
  const std::string unfinished = rank_states(status, Ending::over);
  if (unfinished.empty())
    return fmt::format("the program ended with exit code {} after MPI_Finalize", exit_code);
  if (exit_code == 0)
    return "the program ended, but not all ranks have called MPI_Finalize:" + unfinished;
  return fmt::format("the program ended with exit code {}:{}", exit_code, unfinished);
}

} // namespace

void check_program(const std::string& program) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& what, const std::string& advice) {
    throw Error(ErrorKind::config, fmt::format(fmt::runtime(what), program), advice);
  };
  std::error_code ignored;
  if (fs::is_directory(program, ignored))
    refuse("{} is a folder, not a program", "the path of an executable file, e.g. ./app");
  if (!fs::is_regular_file(program, ignored))
    refuse("there is no program {}", "the path of an executable file, e.g. ./app");
  if (::access(program.c_str(), R_OK | X_OK) != 0)
    refuse("{} is not an executable file", fmt::format("chmod u+rx {}", program));
  if (io::read_text_file(program).starts_with("#!"))
    refuse("{} is a script", "the MPI program that it starts, and its arguments");
  if (!is_shared_object(program))
    refuse("{} is not built for the simulator",
           "build it with smpicc, smpicxx or smpiff in place of mpicc, mpicxx or mpif90");
}

ProgramFailed explain_failure(const std::string& run, const Process::End& end,
                              const runtime::StatusFile& status, const std::string& output) {
  const std::string text = io::read_text_file(output);
  const auto failure = [&](const std::string& what, int exit_code) {
    return ProgramFailed(fmt::format("{}: {}{}", run, what, last_lines(text)),
                         std::max(exit_code, 1));
  };
  if (const auto complaint = own_complaint(text))
    return {fmt::format("{}: {}", run, *complaint), static_cast<int>(ExitCode::failure)};
  if (const auto rank = rank_that_ended(status))
    return failure(ended(status, *rank), status.rank(*rank).exit_code.load());
  // SimGrid ends with exit code 0 after a deadlock.
  if (text.find("Deadlock detected") != std::string::npos)
    return failure(deadlock(status), end.exit_code);
  if (end.signal != 0 && status.running().load() >= 0)
    return failure(crash(status, end.signal), end.exit_code);
  if (never_initialised(status))
    return failure(no_init(end), end.exit_code);
  return failure(other_end(status, end.exit_code), end.exit_code);
}

} // namespace hypermile::simulate
