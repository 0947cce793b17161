#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace hypermile::io {

/// A file that is written piece by piece, as a whole or not at all: to a temporary beside it, which
/// goes away with this object unless it was finished. A device or a pipe is written into, and stays
/// what it is.
class StreamedFile {
public:
  /// Throws Error{hardware} with the system's reason if it cannot be written.
  explicit StreamedFile(std::string path);
  ~StreamedFile();
  StreamedFile(const StreamedFile&) = delete;
  StreamedFile& operator=(const StreamedFile&) = delete;

  /// Throws Error{hardware} if not all of it can be written.
  void write(std::string_view text);
  /// Puts it in its place. Throws Error{hardware} if that cannot be.
  void finish();

  /// Empty: there is none.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  std::string path_;
  std::string temporary_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t bytes_ = 0;
};

} // namespace hypermile::io
