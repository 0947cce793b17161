#include "simulate/failure.hpp"

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

std::string position(std::size_t index, const RankStatus& rank) {
  const auto function = static_cast<runtime::pmpi::Function>(rank.function.load());
  if (rank.state.load() == RankStatus::not_started)
    return fmt::format("rank {} has not called MPI_Init", index);
  return fmt::format("rank {} {} MPI_{} at {:.6f} s, iteration {}", index,
                     rank.in_mpi.load() != 0 ? "is in" : "ran on after",
                     runtime::pmpi::name(function), rank.time_s.load(), rank.iterations.load());
}

/// Every rank that has not finished, the first few of them.
std::string positions(const runtime::StatusFile& status) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t unfinished = 0;
  for (std::size_t i = 0; i < status.ranks(); ++i)
    if (status.rank(i).state.load() != RankStatus::finalized && ++unfinished <= most)
      text += "\n  " + position(i, status.rank(i));
  if (unfinished > most)
    text += fmt::format("\n  and {} more", unfinished - most);
  return text;
}

bool never_initialised(const runtime::StatusFile& status) {
  for (std::size_t i = 0; i < status.ranks(); ++i)
    if (status.rank(i).state.load() != RankStatus::not_started)
      return false;
  return true;
}

std::size_t rank_that_exited(const runtime::StatusFile& status) {
  std::size_t rank = 0;
  while (rank < status.ranks() && status.rank(rank).exit_code.load() == 0)
    ++rank;
  return rank;
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

std::string crash(const runtime::StatusFile& status, int signal) {
  const auto rank = static_cast<std::size_t>(status.running().load());
  return fmt::format("rank {} crashed ({}):\n  {}", rank, ::strsignal(signal),
                     position(rank, status.rank(rank)));
}

} // namespace

void check_program(const std::string& program) {
  namespace fs = std::filesystem;
  if (!fs::is_regular_file(program) || ::access(program.c_str(), X_OK) != 0)
    throw Error(ErrorKind::config, fmt::format("there is no program {}", program),
                "the path of an executable file, e.g. ./app");
  if (!is_shared_object(program))
    throw Error(ErrorKind::config, fmt::format("{} is not built for the simulator", program),
                "build it with smpicc, smpicxx or smpiff in place of mpicc, mpicxx or mpif90");
}

ProgramFailed explain_failure(const std::string& run, const Process::End& end,
                              const runtime::StatusFile& status, const std::string& output) {
  const std::string text = io::read_text_file(output);
  const auto failure = [&](const std::string& what, int exit_code) {
    return ProgramFailed(fmt::format("{}: {}{}", run, what, last_lines(text)), exit_code);
  };
  const int exit_code = std::max(end.exit_code, 1);
  if (const auto complaint = own_complaint(text))
    return {fmt::format("{}: {}", run, *complaint), static_cast<int>(ExitCode::failure)};
  if (const auto rank = rank_that_exited(status); rank < status.ranks()) {
    const int code = status.rank(rank).exit_code.load();
    return failure(fmt::format("rank {} ended the program with exit code {}:{}", rank, code,
                               positions(status)),
                   code);
  }
  // SimGrid ends with exit code 0 after a deadlock.
  if (text.find("Deadlock detected") != std::string::npos)
    return failure("deadlock, the ranks wait for each other for ever:" + positions(status),
                   exit_code);
  if (end.signal != 0 && status.running().load() >= 0)
    return failure(crash(status, end.signal), exit_code);
  if (never_initialised(status))
    return failure("no rank called MPI_Init; hypermile can only work with MPI programs", exit_code);
  const std::string unfinished = positions(status);
  return failure(fmt::format("the program ended with exit code {}{}", end.exit_code,
                             unfinished.empty() ? " after MPI_Finalize" : ":" + unfinished),
                 exit_code);
}

} // namespace hypermile::simulate
