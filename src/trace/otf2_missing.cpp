#include "trace/otf2.hpp"

#include "units/error.hpp"

namespace hypermile::trace {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::unsupported, "this hypermile was built without OTF2 support",
              "apt install libopen-trace-format2-dev, then make in a clone");
}

} // namespace

bool otf2_is_there() { return false; }

void write_otf2(const TraceHead& /*head*/, const TracedRun& /*run*/, const std::string& /*folder*/,
                const Progress& /*progress*/) {
  refuse();
}

Otf2Trace read_otf2(const std::string& /*file*/, const SpeedsOfRanks& /*speeds*/,
                    const Progress& /*progress*/) {
  refuse();
}

} // namespace hypermile::trace
