#pragma once

#include "study/study.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hypermile::io {

/// What only others know of the words of a study. Each throws an Error for what it refuses; the
/// place in the study is added.
struct StudyChecks {
  std::function<void(const std::string&)> method;
  std::function<void(const std::string&)> platform;
  std::function<void(const study::Option&)> option; ///< of `hypermile simulate`
};

/// Reads a study in the schema `hypermile/study/1` (docs/sweep.md describes every key). `file` is
/// used in messages only. Throws Error{config} with file, line and key for anything that is not
/// understood: an unknown key, an empty list, something that is there twice, too many cells.
study::Study parse_study(const std::string& text, const std::string& file,
                         const StudyChecks& checks);

} // namespace hypermile::io
