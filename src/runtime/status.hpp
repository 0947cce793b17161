#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace hypermile::runtime {

/// What a rank is doing, for whoever watches or has to explain how the program died.
struct RankStatus {
  enum State : std::uint32_t {
    not_started,
    running,
    exited,  ///< called exit() before MPI_Finalize
    aborted, ///< called MPI_Abort
    finalized
  };
  std::atomic<std::uint32_t> state;
  std::atomic<std::uint32_t> in_mpi;   ///< 1 inside an MPI call
  std::atomic<std::uint32_t> function; ///< index of the last MPI call, see pmpi/functions.hpp
  std::atomic<std::int32_t> exit_code; ///< of a rank that called exit() or MPI_Abort; else 0
  std::atomic<std::uint64_t> calls;
  std::atomic<std::uint64_t> iterations;
  std::atomic<double> time_s; ///< when it last entered or left MPI
};

/// A file that launcher and ranks share as memory. It outlives a crash of either.
class StatusFile {
public:
  /// Creates the file for that many ranks, or opens an existing one.
  /// Throws Error{hardware} with the system's reason.
  static StatusFile create(const std::string& path, std::size_t ranks);
  static StatusFile open(const std::string& path);

  [[nodiscard]] std::size_t ranks() const;
  [[nodiscard]] RankStatus& rank(std::size_t index) const;
  /// Of the ranks in one process: the one that ran last. -1: none yet.
  [[nodiscard]] std::atomic<std::int32_t>& running() const;

private:
  struct Header;
  struct Unmap {
    std::size_t size;
    void operator()(Header* header) const;
  };
  StatusFile(Header* header, std::size_t size) : header_(header, Unmap{size}) {}
  static StatusFile map(int file, const std::string& path, std::size_t size);

  std::unique_ptr<Header, Unmap> header_;
};

} // namespace hypermile::runtime
