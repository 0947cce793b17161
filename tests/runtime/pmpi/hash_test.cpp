#include "runtime/pmpi/hash.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime::pmpi {
namespace {

/// Parameters as those of MPI: a buffer, a count, a large count, an address, a result.
int function(const void*, int, long long, long, int*) { return 0; }

std::uint64_t in_c(int count, long long large, long address) {
  int result = 0;
  return hash_numbers("buffer", count, large, address, &result);
}

std::uint64_t in_fortran(int count, long long large, long address) {
  const int result = 0;
  const int error = 0;
  return hash_referenced_numbers(&function, "buffer", &count, &large, &address, &result, &error);
}

TEST(hash_of_a_call, is_the_same_in_c_and_in_fortran) {
  EXPECT_EQ(in_fortran(3, 4, 5), in_c(3, 4, 5));
  EXPECT_EQ(in_fortran(-1, 1LL << 40, -7), in_c(-1, 1LL << 40, -7));
}

TEST(hash_of_a_call, depends_on_every_number_in_its_whole_length) {
  EXPECT_NE(in_fortran(3, 4, 5), in_fortran(2, 4, 5));
  EXPECT_NE(in_fortran(3, 4, 5), in_fortran(3, 4 + (1LL << 40), 5));
  EXPECT_NE(in_fortran(3, 4, 5), in_fortran(3, 4, 5 + (1L << 40)));
}

} // namespace
} // namespace hypermile::runtime::pmpi
