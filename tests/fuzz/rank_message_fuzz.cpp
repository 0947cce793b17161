// libFuzzer: any bytes from another rank are refused with an Error, or are a message that is the
// same when it is sent on; and what it tells of power is learnt or not.

#include "fuzz/expect.hpp"
#include "runtime/decide/power_learner.hpp"
#include "runtime/exchange/messages.hpp"
#include "units/error.hpp"

#include <cstdint>

using namespace hypermile;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  runtime::Bytes bytes;
  try {
    bytes = runtime::encode(runtime::decode({data, data + size}));
  } catch (const Error&) {
    return 0; // refused, as it may be
  }
  const runtime::Message message = runtime::decode(bytes);
  EXPECT_THAT(runtime::encode(message) == bytes);
  if (const auto* const m = std::get_if<runtime::Measurement>(&message)) {
    runtime::PowerLearner learner;
    learner.add(m->rank, m->node, m->power);
    (void)learner.table_of(m->node);
    (void)learner.report();
  }
  return 0;
}
