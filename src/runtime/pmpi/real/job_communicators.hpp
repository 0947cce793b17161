#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace hypermile::runtime::pmpi {

/// The ranks of the program, and those that share a machine with the calling one. Every function
/// that says so is collective: called by all of them at the same place, inside MPI_Init, where
/// ranks wait for each other anyway.
///
/// Hypermile starts on all ranks or on none. A rank on which something fails calls refuse(), and
/// the others' next collective function throws Refused. Each of these functions therefore asks
/// whether all ranks are still there before it exchanges something, and has all the memory by then
/// that the exchange needs.
class JobCommunicators {
public:
  /// Another rank has called refuse().
  struct Refused {};

  /// Collective. Needs no memory.
  JobCommunicators();
  /// Collective: whose machine each rank is on, and who has started it, by the file that the
  /// launcher reads. Before any of the following. Throws Error{config}, on all ranks alike, where
  /// some run another version of hypermile.
  void meet(const std::string& result_file);
  /// Throws Refused where another rank has called refuse(). Collective.
  void agree() const;
  /// Hypermile does not start on any rank. Instead of the next collective function.
  void refuse() const { (void)everywhere(false); }
  /// The last thing before MPI_Finalize: no rank enters it while another uses MPI. Collective.
  void part() const;

  [[nodiscard]] MPI_Comm all() const { return all_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] const std::string& host() const { return host_; }
  /// Whether the rank is the one that touches the machine.
  [[nodiscard]] bool leads() const { return place_ == 0; }

  /// Whether one `hypermile run` has started this rank and rank 0.
  [[nodiscard]] bool shares_launcher() const { return shares_launcher_; }

  /// By rank: the one that leads its machine.
  [[nodiscard]] const std::vector<std::size_t>& leaders() const { return leaders_; }
  [[nodiscard]] int leader_of(int rank) const {
    return static_cast<int>(leaders_[static_cast<std::size_t>(rank)]);
  }

  /// Of rank 0, to all. Collective.
  [[nodiscard]] std::string from_first(std::string text) const;
  /// Of every rank, to all, by rank. Collective.
  [[nodiscard]] std::vector<std::string> from_all(const std::string& text) const;
  /// Of every rank, to rank 0, by rank; nothing on the others. Of any size. Collective.
  [[nodiscard]] std::vector<std::string> to_first(const std::string& text) const;
  /// Of the machine's leader, to all on the machine. Collective there.
  [[nodiscard]] std::vector<double> from_leader(std::vector<double> numbers) const;
  /// Numbers that some rank of the machine has, ascending. Collective there.
  [[nodiscard]] std::vector<int> united(const std::vector<int>& numbers) const;
  /// Whether it is true of every rank of the program. Collective.
  [[nodiscard]] bool all_agree(bool yes) const;

private:
  [[nodiscard]] bool everywhere(bool yes) const;

  MPI_Comm all_ = MPI_COMM_NULL;
  MPI_Comm machine_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 0;
  bool shares_launcher_ = true;
  int place_ = 0; ///< among the ranks of the machine
  std::string host_;
  std::vector<std::size_t> leaders_;
};

} // namespace hypermile::runtime::pmpi
