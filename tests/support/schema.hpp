#pragma once

#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include <sys/wait.h>

namespace hypermile::test {

/// Fails the test if JSON is not as the schema that it names says. Nothing is looked at where there
/// is no python3 with jsonschema.
inline void expect_as_its_schema_says(const std::string& json) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("printed.json")) << json;
  const std::string line = "python3 -B '" HYPERMILE_SOURCE_DIR "/tests/schemas/validate.py' '" +
                           folder.path("printed.json") + "'";
  FILE* const validator = ::popen(line.c_str(), "r");
  ASSERT_NE(validator, nullptr);
  std::string said;
  for (int c = std::fgetc(validator); c != EOF; c = std::fgetc(validator))
    said += static_cast<char>(c);
  const int status = ::pclose(validator);
  constexpr int not_found = 127;
  constexpr int skipped = 77;
  if (WIFEXITED(status) && (WEXITSTATUS(status) == skipped || WEXITSTATUS(status) == not_found))
    return;
  EXPECT_EQ(status, 0) << said;
}

} // namespace hypermile::test
