#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace hypermile::runtime::pmpi {

/// While one lives, arithmetic of this thread raises no signal, as that of a program does which has
/// called feenableexcept() to be told of its mistakes: hypermile divides by 0 and goes on with
/// infinity. Afterwards the program has its floating-point environment back, flags included.
///
/// Every MPI call makes one. On x86-64 all arithmetic of hypermile is that of SSE, so that one
/// register is all that has to be looked at.
#ifdef __x86_64__
class QuietArithmetic {
public:
  QuietArithmetic() : before_(_mm_getcsr()) {
    constexpr unsigned no_signals = _MM_MASK_MASK;
    if ((before_ & no_signals) != no_signals)
      _mm_setcsr(before_ | no_signals);
  }
  ~QuietArithmetic() {
    if (_mm_getcsr() != before_)
      _mm_setcsr(before_);
  }
  QuietArithmetic(const QuietArithmetic&) = delete;
  QuietArithmetic& operator=(const QuietArithmetic&) = delete;

private:
  unsigned before_;
};
#else
class QuietArithmetic {
public:
  QuietArithmetic() { std::feholdexcept(&before_); }
  ~QuietArithmetic() { std::fesetenv(&before_); }
  QuietArithmetic(const QuietArithmetic&) = delete;
  QuietArithmetic& operator=(const QuietArithmetic&) = delete;

private:
  std::fenv_t before_{};
};
#endif

} // namespace hypermile::runtime::pmpi
