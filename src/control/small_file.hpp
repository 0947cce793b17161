#pragma once

#include "units/error.hpp"

#include <string>

namespace hypermile::control {

/// A file that could not be read or written.
class FileError : public Error {
public:
  /// `what`: "cannot read FILE"; the reason is added. `number`: an errno.
  FileError(const std::string& what, int number, const std::string& advice = "");
  [[nodiscard]] int number() const { return number_; }
  /// The system does not allow it, as opposed to: it does not work.
  [[nodiscard]] bool not_permitted() const;

private:
  int number_;
};

/// "Permission denied (EACCES)".
std::string reason(int number);

/// The text of a file of sysfs or procfs, without white space at its end. Throws FileError, also
/// where it has more than 64 KiB.
std::string read_small_file(const std::string& path);

/// Writes to a file that exists; the kernel takes each write as one value. Throws FileError.
void write_small_file(const std::string& path, const std::string& value);

/// Whether write_small_file() may open the file: 0, else the errno. Changes nothing.
int why_not_writable(const std::string& path);

} // namespace hypermile::control
