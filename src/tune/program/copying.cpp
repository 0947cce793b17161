#include "tune/program/copying.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include <omp.h>
#include <sched.h>

namespace hypermile::tune {
namespace {

/// What a thread has of the message: assigning it copies the bytes, which is what `copyprivate`
/// does with a private variable.
class Message {
public:
  /// Touches its pages.
  Message(std::size_t size_b, char filling) : bytes_(new char[size_b]), size_b_(size_b) {
    fill(filling);
  }
  Message(const Message&) = delete;
  Message& operator=(const Message& other) {
    if (this != &other)
      std::memcpy(bytes_.get(), other.bytes_.get(), size_b_);
    return *this;
  }

  void fill(char filling) { std::fill_n(bytes_.get(), size_b_, filling); }
  [[nodiscard]] bool holds(char filling) const {
    return std::all_of(bytes_.get(), bytes_.get() + size_b_,
                       [filling](char byte) { return byte == filling; });
  }

private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_b_;
};

} // namespace

void check_cpus_for(int threads) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  // Where the kernel has more CPUs than the set, there are enough.
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) < threads)
    throw std::runtime_error("a process may use " + std::to_string(CPU_COUNT(&cpus)) +
                             " of the CPUs, and is to have " + std::to_string(threads) +
                             " threads; try: mpirun --bind-to none, or fewer --threads");
}

std::vector<Times> time_copies(int threads, std::size_t size_b, MPI_Comm processes,
                               const std::function<bool(std::size_t)>& goes_on) {
  constexpr char sent = 's';
  constexpr char nothing = 'n';
  std::vector<Times> times;
  std::atomic<bool> right = true;
  bool more = true; // written by the main thread between barriers
  double met = 0;
#pragma omp parallel num_threads(threads)
  {
    Message message(size_b, nothing);
    if (omp_get_num_threads() != threads)
      right = false;
#pragma omp single copyprivate(message)
    message.fill(sent);
    if (!message.holds(sent))
      right = false;
#pragma omp barrier
    while (more) {
#pragma omp master
      {
        MPI_Barrier(processes);
        met = MPI_Wtime();
      }
#pragma omp barrier
#pragma omp single copyprivate(message)
      {}
#pragma omp master
      {
        times.push_back({0, MPI_Wtime() - met});
        more = times.size() % 3 != 0 || goes_on(times.size());
      }
#pragma omp barrier
    }
  }
  if (!right)
    throw std::runtime_error("threads have not got the message, or there are fewer of them");
  return times;
}

} // namespace hypermile::tune
