#pragma once

#include "backend/process/programs.hpp"
#include "backend/process/supervisor.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <optional>

#include <sys/mman.h>

namespace hypermile::backend::process {

using control::CpuSet;
using test::Child;
using test::comes_true;
using test::fork_for;
using test::is_stopped;
using test::is_there;
using test::masks_of;
using MaskSet = std::set<CpuSet>;

/// Something that a process and those that it forks share.
template <class T> class Shared {
public:
  Shared()
      : value_(static_cast<T*>(::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Shared() { ::munmap(const_cast<T*>(value_), sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  volatile T& operator*() const { return *value_; }

private:
  volatile T* value_;
};

class SupervisorTest : public testing::Test {
protected:
  void SetUp() override {
    if (all_.size() < 2)
      GTEST_SKIP() << "there is but one CPU to run on";
  }

  [[nodiscard]] const CpuSet& all() const { return all_; }
  [[nodiscard]] CpuSet first() const { return {all_.front()}; }
  [[nodiscard]] CpuSet last() const { return {all_.back()}; }
  [[nodiscard]] static bool has(pid_t process, const MaskSet& masks) {
    return comes_true([&] { return masks_of(process) == masks; });
  }
  /// As a program is that nobody steers.
  void expect_as_before(pid_t process) const {
    EXPECT_TRUE(has(process, {all_}));
    EXPECT_TRUE(comes_true([&] { return !is_stopped(process); }));
  }
  static Program of(const Child& child) { return {.root = child.pid()}; }

private:
  CpuSet all_ = control::affinity(0).value();
};

inline void start_thread(const std::function<void()>& work) { std::thread(work).detach(); }
inline void wait_forever() {
  for (;;)
    ::pause();
}

} // namespace hypermile::backend::process
