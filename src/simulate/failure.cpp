#include "simulate/failure.hpp"

#include "io/text_file.hpp"
#include "runtime/pmpi/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <csignal>
#include <unistd.h>

namespace hypermile::simulate {
namespace {

using runtime::RankStatus;

std::string last_lines(const std::string& file) {
  constexpr std::size_t most = 12;
  const std::string text = io::read_text_file(file);
  std::size_t begin = text.size();
  for (std::size_t lines = 0; begin > 0 && lines <= most; --begin)
    if (text[begin - 1] == '\n' && begin < text.size() && ++lines == most)
      break;
  return text.empty()
             ? ""
             : fmt::format("\nthe end of what the program printed:\n{}", text.substr(begin));
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

} // namespace

void check_program(const std::string& program) {
  namespace fs = std::filesystem;
  if (!fs::is_regular_file(program) || ::access(program.c_str(), X_OK) != 0)
    throw Error(ErrorKind::config, fmt::format("there is no program {}", program),
                "the path of an executable file, e.g. ./app");
  // A program of smpicc's is linked against SimGrid; the name is in its dynamic section.
  if (io::read_text_file(program).find("libsimgrid.so") == std::string::npos)
    throw Error(ErrorKind::config, fmt::format("{} is not built for the simulator", program),
                "build it with smpicc, smpicxx or smpiff in place of mpicc, mpicxx or mpif90");
}

ProgramFailed explain_failure(const std::string& run, const Process::End& end,
                              const runtime::StatusFile& status, const std::string& output) {
  const std::string printed = last_lines(output);
  const auto failure = [&](const std::string& what, const std::string& advice = "") {
    return ProgramFailed(fmt::format("{}: {}{}", run, what, printed), advice,
                         std::max(end.exit_code, 1));
  };
  const std::size_t exited = rank_that_exited(status);
  if (exited < status.ranks()) {
    const int code = status.rank(exited).exit_code.load();
    return {fmt::format("{}: rank {} ended the program with exit code {}{}{}", run, exited, code,
                        positions(status), printed),
            "", code};
  }
  if (printed.find("hypermile: error: ") != std::string::npos)
    return failure("the run could not begin");
  if (io::read_text_file(output).find("Deadlock detected") != std::string::npos)
    return failure("deadlock, the ranks wait for each other for ever:" + positions(status));
  if (end.signal != 0 && status.running().load() >= 0)
    return failure(
        fmt::format("rank {} crashed ({}):\n  {}", status.running().load(), ::strsignal(end.signal),
                    position(static_cast<std::size_t>(status.running().load()),
                             status.rank(static_cast<std::size_t>(status.running().load())))));
  if (never_initialised(status))
    return failure("no rank called MPI_Init", "an MPI program; hypermile sees only those");
  return failure(
      fmt::format("the program ended with exit code {}:{}", end.exit_code, positions(status)));
}

} // namespace hypermile::simulate
