/// A server that hypermile can steer: items of work arrive by a Poisson process whose rate follows
/// a day, wait in a queue, and are done by a pool of threads whose size can be changed.

#include "server/service.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <csignal>
#include <time.h>

using namespace apps::server;

namespace {

/// To be done before there are threads, so that only main() gets them.
sigset_t block_ends() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  return ends;
}

/// True: it is to end.
bool wait_for(const sigset_t& ends, double seconds) {
  const double whole = std::floor(seconds);
  const timespec time{.tv_sec = static_cast<time_t>(whole),
                      .tv_nsec = static_cast<long>((seconds - whole) * 1e9)};
  return ::sigtimedwait(&ends, nullptr, &time) > 0;
}

void serve_until(const sigset_t& ends, const Options& options, const Service& service) {
  const auto begin = Clock::now();
  for (double next = 1;;) {
    const double gone = std::chrono::duration<double>(Clock::now() - begin).count();
    const double until = std::min(next, options.duration.value_or(next));
    if (gone < until) { // and so it may be again: to be stopped and go on ends a wait
      if (wait_for(ends, until - gone))
        return;
      continue;
    }
    if (options.duration && gone >= *options.duration)
      return;
    if (options.verbose) {
      std::fputs(service.progress().c_str(), stdout);
      std::fflush(stdout);
    }
    ++next;
  }
}

int serve(const Options& options) {
  const sigset_t ends = block_ends();
  const double points = options.points ? static_cast<double>(*options.points)
                                       : options.work * points_per_microsecond();
  std::printf("points of an item: %.0f\n", std::ceil(points));
  std::fflush(stdout);
  Service service(options, points);
  serve_until(ends, options, service);
  service.stop();
  std::fputs(service.report().c_str(), stdout);
  return service.verified() ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const Options options = read_options({argv + 1, argv + argc});
  if (!options.error.empty()) {
    std::fprintf(stderr, "server: error: %s\n", options.error.c_str());
    return 2;
  }
  if (options.help) {
    std::fputs(help().c_str(), stdout);
    return 0;
  }
  return serve(options);
}
