#include "model/dependency/dependencies.hpp"

#include <algorithm>

namespace hypermile::model::dependency {

double Dependencies::waited_until(const Step& step, double ready, double done,
                                  const Workspace& workspace) {
  if (step.kind != Step::Kind::wait && step.kind != Step::Kind::join)
    return ready;
  const double there = std::max(workspace.slots_[step.a], workspace.slots_[step.b]);
  return std::clamp(there, ready, std::max(ready, done));
}

std::vector<Dependencies::Account> Dependencies::accounts(std::span<const double> scales) const {
  Workspace workspace;
  start(workspace);
  workspace.scales_.assign(scales.begin(), scales.end());
  std::vector<Account> accounts(ranks());
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const double before = workspace.clocks_[step.rank];
    const double computing = stretched(s, scales[step.rank]);
    run(s, s + 1, workspace);
    const double in_mpi = workspace.clocks_[step.rank] - before - computing;
    const double ready = before + computing;
    const double waiting =
        waited_until(step, ready, workspace.clocks_[step.rank], workspace) - ready;
    accounts[step.rank].waiting += Seconds{waiting};
    accounts[step.rank].inside += Seconds{in_mpi - waiting};
  }
  double last = 0;
  for (std::size_t r = 0; r < ranks(); ++r)
    last = std::max(last, workspace.clocks_[r] + after(r, scales[r]).value());
  for (std::size_t r = 0; r < ranks(); ++r) {
    Account& account = accounts[r];
    account.computing = computing(r, scales[r]);
    const double end = workspace.clocks_[r] + after(r, scales[r]).value();
    account.waiting += Seconds{last - end + begins_[r]} - begin();
  }
  return accounts;
}

} // namespace hypermile::model::dependency
