#pragma once

#include "support/fake_sysfs.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace hypermile::test {

/// Lets the frequencies of a fake sysfs follow what is set, in a thread of its own.
class FakeKernel {
public:
  explicit FakeKernel(const FakeSysfs& sysfs);
  ~FakeKernel();
  FakeKernel(const FakeKernel&) = delete;
  FakeKernel& operator=(const FakeKernel&) = delete;

  /// From now on the policy runs at this frequency whatever is set, as firmware has it at times.
  void run_at(int policy, int khz);
  /// Returns when all that was set before the call has taken effect.
  void settle();

private:
  void run();
  void follow(int policy) const;

  const FakeSysfs& sysfs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, int> fixed_;
  std::size_t rounds_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace hypermile::test
