// What an OpenMP runtime loads that is told to by OMP_TOOL_LIBRARIES, and is able to: a tool as of
// OpenMP 5.0, section 4 (OMPT). Its header is a compiler's, and not every one has it: what is used
// of it is declared here.

#include "progress/own_memory.hpp"

namespace hypermile::progress {
namespace {

union Data {
  std::uint64_t value;
  void* pointer;
};
using Callback = void (*)();
using Lookup = Callback (*)(const char* name);
using SetCallback = int (*)(int event, Callback callback);
using GetTaskInfo = int (*)(int ancestor, int* flags, Data** task, void** frame, Data** region,
                            int* thread);

enum Event : int { parallel_end = 4, task_schedule = 6, work = 20 };
enum class Work : int { loop = 1, sections = 2 };
enum class Endpoint : int { end = 2 };
enum class TaskStatus : int { complete = 1 };

std::atomic<GetTaskInfo> get_task_info{nullptr};

void count_one() { add(slot_of_thread(memory()).openmp_items, 1); }

/// Each thread of a team comes to the end of a loop: the first one counts it.
bool is_first_of_team() {
  const GetTaskInfo ask = get_task_info.load(std::memory_order_relaxed);
  constexpr int there = 2;
  int thread = 0;
  return ask != nullptr && ask(0, nullptr, nullptr, nullptr, nullptr, &thread) == there &&
         thread == 0;
}

void on_parallel_end(Data*, Data*, int, const void*) { count_one(); }

void on_work(Work kind, Endpoint endpoint, Data*, Data*, std::uint64_t, const void*) {
  if (endpoint == Endpoint::end && (kind == Work::loop || kind == Work::sections) &&
      is_first_of_team())
    count_one();
}

void on_task_schedule(Data*, TaskStatus of_the_one_before, Data*) {
  if (of_the_one_before == TaskStatus::complete)
    count_one();
}

template <class Function> Callback as_callback(Function* function) {
  return reinterpret_cast<Callback>(function);
}

int initialize(Lookup lookup, int, Data*) {
  const auto set_callback = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  if (set_callback == nullptr)
    return 0;
  get_task_info.store(reinterpret_cast<GetTaskInfo>(lookup("ompt_get_task_info")));
  set_callback(parallel_end, as_callback(on_parallel_end));
  set_callback(task_schedule, as_callback(on_task_schedule));
  set_callback(work, as_callback(on_work));
  std::atomic_ref(memory().talk.openmp).store(1);
  return 1;
}

void finalize(Data*) {}

struct StartToolResult {
  int (*initialize)(Lookup lookup, int device, Data* tool);
  void (*finalize)(Data* tool);
  Data tool;
};

} // namespace
} // namespace hypermile::progress

extern "C" __attribute__((visibility("default"))) void* ompt_start_tool(unsigned, const char*) {
  static hypermile::progress::StartToolResult result{
      hypermile::progress::initialize, hypermile::progress::finalize, {}};
  return &result;
}
