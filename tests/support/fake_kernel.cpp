#include "support/fake_kernel.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace hypermile::test {

FakeKernel::FakeKernel(const FakeSysfs& sysfs) : sysfs_(sysfs), thread_([this] { run(); }) {}

FakeKernel::~FakeKernel() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void FakeKernel::run_at(int policy, int khz) {
  const std::lock_guard lock(mutex_);
  fixed_[policy] = khz;
}

void FakeKernel::settle() {
  std::unique_lock lock(mutex_);
  const std::size_t enough = rounds_ + 2; // the present round may have begun before
  changed_.wait(lock, [&] { return rounds_ >= enough; });
}

void FakeKernel::run() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    for (const int policy : sysfs_.policies())
      follow(policy);
    ++rounds_;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::milliseconds(1), [&] { return ends_; });
  }
}

void FakeKernel::follow(int policy) const {
  const auto khz = [&](const char* file) { return std::atoi(sysfs_.read(policy, file).c_str()); };
  const int highest = khz("scaling_max_freq");
  if (highest == 0) // it is just being written
    return;
  const int lowest = std::min(khz("scaling_min_freq"), highest);
  int present = highest;
  if (sysfs_.read(policy, "scaling_governor") == "userspace")
    if (const int asked = khz("scaling_setspeed"); asked != 0)
      present = std::clamp(asked, lowest, highest);
  if (const auto fixed = fixed_.find(policy); fixed != fixed_.end())
    present = fixed->second;
  if (khz("scaling_cur_freq") != present)
    sysfs_.write(policy, "scaling_cur_freq", std::to_string(present));
}

} // namespace hypermile::test
