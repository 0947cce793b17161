#pragma once

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hypermile::io {

/// What the error of a parser says; fails the test where there is none, or one of another kind.
template <class Parse> std::string refusal(const Parse& parse) {
  try {
    (void)parse();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return "";
}

} // namespace hypermile::io
