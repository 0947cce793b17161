#pragma once

#include <cstdio>
#include <cstdlib>

/// Stops the fuzzer with the input that broke a promise.
#define EXPECT_THAT(promise)                                                                       \
  do {                                                                                             \
    if (!(promise)) {                                                                              \
      std::fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise);                   \
      std::abort();                                                                                \
    }                                                                                              \
  } while (false)
