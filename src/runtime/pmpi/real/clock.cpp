#include "runtime/pmpi/real/clock.hpp"

#include "runtime/pmpi/library.hpp"

#include <array>
#include <fstream>
#include <string>

namespace hypermile::runtime::pmpi {
namespace {

constexpr int clock_tag = 1;
/// The best of so many counts: most are held up by something.
constexpr std::size_t round_trips = 10;

/// The parent's clock, and what it knows of rank 0's.
using Answer = std::array<double, 3>;

ClockOffset ask(MPI_Comm comm, int parent) {
  std::array<RoundTrip, round_trips> trips;
  ClockOffset beyond{};
  for (RoundTrip& trip : trips) {
    Answer answer{};
    trip.asked = monotonic_time();
    library.Send(nullptr, 0, MPI_DOUBLE, parent, clock_tag, comm);
    library.Recv(answer.data(), static_cast<int>(answer.size()), MPI_DOUBLE, parent, clock_tag,
                 comm, MPI_STATUS_IGNORE);
    trip.answered = monotonic_time();
    trip.other = Seconds{answer[0]};
    beyond = {Seconds{answer[1]}, Seconds{answer[2]}};
  }
  return compose(estimate_offset(trips).value_or(ClockOffset{}), beyond);
}

void answer(MPI_Comm comm, int child, const ClockOffset& known) {
  for (std::size_t i = 0; i < round_trips; ++i) {
    library.Recv(nullptr, 0, MPI_DOUBLE, child, clock_tag, comm, MPI_STATUS_IGNORE);
    const Answer answer{monotonic_time().value(), known.offset.value(), known.error.value()};
    library.Send(answer.data(), static_cast<int>(answer.size()), MPI_DOUBLE, child, clock_tag,
                 comm);
  }
}

} // namespace

bool counter_is_the_clock() {
#ifdef __x86_64__
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return static_cast<bool>(std::getline(file, source)) && source == "tsc";
#else
  return false;
#endif
}

ClockOffset offset_of_first(const JobCommunicators& job, const TreePlace& place) {
  ClockOffset offset{};
  job.agree();
  if (job.leads() && place.parent >= 0)
    offset = ask(job.all(), place.parent);
  if (job.leads())
    for (const int child : place.children)
      if (job.leader_of(child) == child)
        answer(job.all(), child, offset);
  const auto shared = job.from_leader({offset.offset.value(), offset.error.value()});
  return {Seconds{shared[0]}, Seconds{shared[1]}};
}

} // namespace hypermile::runtime::pmpi
