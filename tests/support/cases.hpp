#pragma once

namespace hypermile::test {

/// How many random cases a test goes through. Under a sanitizer, which looks for other errors and
/// takes ten times as long, a tenth of `all`.
constexpr int cases(int all) {
#ifdef HYPERMILE_SANITIZED
  return all / 10 + 1;
#else
  return all;
#endif
}

} // namespace hypermile::test
