#pragma once

#include <filesystem>
#include <string>

namespace hypermile::io {

/// A folder in TMPDIR that goes away with this object, and all that is in it.
class TemporaryFolder {
public:
  /// Throws Error{hardware} with the system's reason if none can be made.
  /// `otherwise`: a folder to take where TMPDIR cannot be used; null: none.
  explicit TemporaryFolder(const char* otherwise = nullptr);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace hypermile::io
