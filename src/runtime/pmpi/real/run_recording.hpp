#pragma once

#include "runtime/pmpi/real/job_communicators.hpp"
#include "runtime/pmpi/real/node_connection.hpp"
#include "runtime/pmpi/session.hpp"
#include "runtime/settings.hpp"
#include "units/quantity.hpp"

#include <string>
#include <vector>

namespace hypermile::runtime::pmpi {

/// Keeps all that it takes to repeat the run in simulations, where the settings ask for that.
class RunRecording {
public:
  /// Collective where it is wanted.
  RunRecording(const Settings& settings, const JobCommunicators& job,
               const NodeConnection& connection);

  /// Lets a session keep what is needed.
  void prepare(Session::Parts& parts) const;
  /// After Session::arrive(). Collects what the ranks have kept, and rank 0 writes the file. What
  /// goes wrong is told on stderr. Collective.
  void write(Session& session, const std::vector<std::string>& functions) const;

private:
  [[nodiscard]] bool wanted() const { return !file_.empty(); }
  /// By rank, on rank 0. Collective. Throws what keeps a rank from it; Refused on the others.
  [[nodiscard]] std::vector<std::string> collect(Session& session,
                                                 const std::vector<std::string>& functions) const;
  [[nodiscard]] std::string head(const std::vector<std::string>& functions) const;

  std::string file_;
  std::string program_;
  std::string platform_; ///< empty: it does not describe all nodes
  const JobCommunicators& job_;
  std::vector<std::string> nodes_; ///< by rank
  std::vector<Speed> speeds_;      ///< by rank
};

} // namespace hypermile::runtime::pmpi
