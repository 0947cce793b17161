#include "runtime/pmpi/real/gentle_wait.hpp"

namespace hypermile::runtime::pmpi {
namespace {

Library with_gentle_waits() {
  Library gentle = gentle_completions();
  add_gentle_messages(gentle);
  add_gentle_collectives(gentle);
  return gentle;
}

} // namespace

void wait_gently() {
  static const Library gentle = with_gentle_waits();
  called = &gentle;
}

void wait_as_the_library_does() { called = &library; }

} // namespace hypermile::runtime::pmpi
