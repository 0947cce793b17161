#pragma once

#include "io/components.hpp"
#include "study/study.hpp"

#include <map>
#include <string>

namespace hypermile::sweep {

/// What the outcome of a cell depends on, beside its command line.
struct Surroundings {
  std::string version;         ///< of hypermile
  std::string study_folder;    ///< where programs run, and where their files are
  std::string platform_folder; ///< the bundled platforms
};

/// Fingerprints of cells: each changes with the version of hypermile, with any word of the cell's
/// command line, and with the content of every file that a word of it names (the program, the
/// platform and its components, a recording, an input). A word is taken for a file's name if there
/// is such a file; so is what follows the first = of a word.
class Fingerprints {
public:
  explicit Fingerprints(Surroundings surroundings) : surroundings_(std::move(surroundings)) {}

  /// 16 hexadecimal digits. A file is read once, however many cells have it. Throws Error{config}
  /// for a file that cannot be read.
  [[nodiscard]] std::string of(const study::Cell& cell);
  /// Likewise that of the recording which the cell shares with those on other platforms that count
  /// work in the same unit; it does not depend on methods. Empty: the cell has none.
  [[nodiscard]] std::string of_recording(const study::Cell& cell);

private:
  void add_word(std::string& all, const std::string& word);
  void add_components(std::string& all, const std::string& platform_file);
  io::ComponentSource components() const;
  std::string platform_file(const study::Cell& cell) const;
  std::string of_file(const std::string& path);

  Surroundings surroundings_;
  std::map<std::string, std::string> known_; ///< by path
};

} // namespace hypermile::sweep
