#pragma once

#include <string>

namespace hypermile::test {

/// While one of these lives, calls to the system fail as it says: faults separated by ';', each
/// "WHAT:CALL:PATH" or "WHAT:CALL:PATH:N".
///
///   WHAT  EACCES, EBUSY, EINVAL, EIO, ENODATA, ENODEV, ENOENT, ENOSPC, ENOSYS, EPERM or EROFS;
///   SHORT
///         does one byte; LOST, for write, does nothing and succeeds
///   CALL  open, read (also pread) or write (also pwrite). What is not permitted fails as early as
///         it does in Linux: for write, when the file is opened for it (EACCES, EPERM, EROFS)
///   PATH  a part of the file's path
///   N     so many calls work before. Default: 0. "N!": only the next one fails, and then all work
///
/// Programs that faults.cpp is linked into have it; others take tests_faults.so by LD_PRELOAD, and
/// the faults from HYPERMILE_TEST_FAULTS. One at a time. Throws std::invalid_argument.
class Faults {
public:
  explicit Faults(const std::string& faults);
  ~Faults();
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;
  /// Whether any of them has made a call of this process fail.
  [[nodiscard]] static bool were_met();

  /// While one of these lives, all calls work and none counts.
  class Suspended {
  public:
    Suspended();
    ~Suspended();
    Suspended(const Suspended&) = delete;
    Suspended& operator=(const Suspended&) = delete;

  private:
    void* faults_;
  };
};

} // namespace hypermile::test
