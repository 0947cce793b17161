#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

namespace hypermile::python {

/// What `work` returns or throws. It runs in a thread of its own, so that other threads of Python
/// go on, and Ctrl-C is seen. After that `stop` is true, and nobody waits for `work` any more:
/// it has to own all that it uses, and none of it may belong to Python.
template <class Work>
std::invoke_result_t<Work, const std::atomic<bool>&> interruptible(Work work) {
  using Result = std::invoke_result_t<Work, const std::atomic<bool>&>;
  constexpr std::chrono::milliseconds between_looks{50};
  auto stop = std::make_shared<std::atomic<bool>>(false);
  std::packaged_task<Result()> task(
      [work = std::move(work), stop]() mutable { return work(*stop); });
  std::future<Result> result = task.get_future();
  std::thread(std::move(task)).detach();
  for (;;) {
    std::future_status status{};
    {
      const pybind11::gil_scoped_release others_run;
      status = result.wait_for(between_looks);
    }
    if (status == std::future_status::ready)
      return result.get();
    if (PyErr_CheckSignals() != 0) {
      *stop = true;
      throw pybind11::error_already_set();
    }
  }
}

} // namespace hypermile::python
