#include "server/service.hpp"

#include "server/arrivals.hpp"

#include <hypermile/hypermile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace apps::server {
namespace {

std::atomic<Workers*> workers_of_service{nullptr};

void resize(int threads) {
  if (Workers* workers = workers_of_service.load())
    workers->resize(static_cast<std::size_t>(threads));
}

std::size_t default_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

template <class... Values> std::string print(const char* format, Values... values) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

} // namespace

Service::Service(const Options& options, double points)
    : options_(options), points_(points), queue_(options.queue),
      workers_([this] { return work(); }) {
  workers_of_service.store(&workers_);
  hm_on_threads(resize);
  workers_.resize(options.threads > 0 ? options.threads : default_threads());
  if (!options_.saturate)
    source_ = std::thread([this] { let_items_arrive(); });
}

Service::~Service() { stop(); }

void Service::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_)
      return;
    stopping_ = true;
    end_ = Clock::now();
  }
  stop_wanted_.notify_all();
  queue_.close();
  if (source_.joinable())
    source_.join();
  workers_.stop();
  hm_on_threads(nullptr);
  workers_of_service.store(nullptr);
}

double Service::seconds_at(Clock::time_point when) const {
  return std::chrono::duration<double>(when - begin_).count();
}

/// False: the service ends before.
bool Service::wait_until(Clock::time_point when) {
  std::unique_lock lock(mutex_);
  return !stop_wanted_.wait_until(lock, when, [this] { return stopping_; });
}

void Service::let_items_arrive() {
  Arrivals arrivals({.mean = options_.rate,
                     .swing = options_.swing,
                     .day = options_.day,
                     .steps = options_.rate_steps},
                    options_.seed);
  for (;;) {
    const auto when = begin_ + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(arrivals.next()));
    if (!wait_until(when))
      return;
    arrive(when);
  }
}

void Service::arrive(Clock::time_point when) {
  hm_arrival(1);
  if (!queue_.push({.number = arrived_.fetch_add(1), .arrived = when}))
    dropped_.fetch_add(1);
}

std::optional<Item> Service::next_item() {
  if (!options_.saturate)
    return queue_.pop();
  return Item{.number = arrived_.fetch_add(1), .arrived = Clock::now()};
}

bool Service::work() {
  const auto item = next_item();
  if (!item)
    return false;
  const double phase = options_.phases.at(seconds_at(Clock::now()));
  const Sample sample = draw(item->number, static_cast<std::uint64_t>(std::ceil(points_ * phase)));
  {
    const std::lock_guard lock(mutex_);
    latencies_.add(seconds_at(Clock::now()) - seconds_at(item->arrived));
    sample_ += sample;
  }
  hm_progress(1);
  return true;
}

std::string Service::progress() const {
  const double now = seconds_at(Clock::now());
  const std::size_t waiting = queue_.size();
  const std::size_t threads = workers_.working();
  const std::lock_guard lock(mutex_);
  return print("%.0f s: items %llu, waiting %zu, dropped %llu, threads %zu\n", now,
               static_cast<unsigned long long>(latencies_.count()), waiting,
               static_cast<unsigned long long>(dropped_.load()), threads);
}

std::string Service::report() const {
  const double seconds = seconds_at(end_);
  const auto items = static_cast<unsigned long long>(latencies_.count());
  return print("time: %.3f s\nitems: %llu\nthroughput: %.3f /s\n", seconds, items,
               static_cast<double>(items) / seconds) +
         print("latency mean: %.6f s\nlatency 95 %%: %.6f s\nlatency 99 %%: %.6f s\n",
               latencies_.mean(), latencies_.quantile(0.95), latencies_.quantile(0.99)) +
         print("dropped: %llu\nleft waiting: %zu\npi: %.6f\nverification: %s\n",
               static_cast<unsigned long long>(dropped_.load()), queue_.size(), sample_.pi(),
               verified() ? "successful" : "FAILED");
}

} // namespace apps::server
