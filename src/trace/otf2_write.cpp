#include "trace/call_facts.hpp"
#include "trace/kept_events.hpp"
#include "trace/otf2.hpp"
#include "trace/otf2_counters.hpp"
#include "trace/otf2_library.hpp"
#include "trace/otf2_sizes.hpp"
#include "trace/ticks.hpp"
#include "trace/written_communicators.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace hypermile::trace {
namespace {

using model::Action;
using model::Operation;
using model::dependency::EventIndex;
using model::dependency::Matching;
using model::dependency::nothing;
using model::dependency::Schedule;

constexpr double picoseconds = 1e12;

/// Reports what the library could not do.
class Checked {
public:
  Checked(const Otf2Errors& errors, const std::string& folder) : errors_(errors), folder_(folder) {}
  void operator()(OTF2_ErrorCode code) const {
    if (code == OTF2_SUCCESS)
      return;
    throw Error(
        ErrorKind::hardware,
        fmt::format("cannot write the trace {}: {}", folder_,
                    errors_.first().empty() ? OTF2_Error_GetDescription(code) : errors_.first()),
        "a folder that exists, is writable and has space left");
  }

private:
  const Otf2Errors& errors_;
  const std::string& folder_;
};

OTF2_FlushType flush_when_full(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
  return OTF2_FLUSH;
}

class Writer {
public:
  Writer(const TraceHead& head, const TracedRun& run, const std::string& folder)
      : head_(head), run_(run), timeline_(*run.timeline), folder_(folder), check_(errors_, folder_),
        ticks_(run, head.window, picoseconds), matching_(timeline_), sizes_(matching_),
        communicators_(timeline_), kept_(run, matching_, ticks_), counters_(run, ticks_),
        region_of_(timeline_.functions.size(), 0), event_counts_(timeline_.ranks.size(), 0) {}

  void write(const Progress& progress) {
    archive_.reset(OTF2_Archive_Open(folder_.c_str(), "traces", OTF2_FILEMODE_WRITE,
                                     events_at_a_time, definitions_at_a_time, OTF2_SUBSTRATE_POSIX,
                                     OTF2_COMPRESSION_NONE));
    if (!archive_)
      check_(OTF2_ERROR_INVALID);
    constexpr OTF2_FlushCallbacks flush{&flush_when_full, nullptr};
    check_(OTF2_Archive_SetFlushCallbacks(archive_.get(), &flush, nullptr));
    check_(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()));
    describe();
    check_(OTF2_Archive_OpenEvtFiles(archive_.get()));
    for (std::uint32_t r = 0; r < timeline_.ranks.size(); ++r) {
      write_rank(r);
      if (progress)
        progress(static_cast<double>(r + 1) / static_cast<double>(timeline_.ranks.size()));
    }
    counters_.write_events(archive_.get(), check_);
    check_(OTF2_Archive_CloseEvtFiles(archive_.get()));
    write_definitions();
    check_(OTF2_Archive_Close(archive_.release()));
  }

private:
  static constexpr std::uint64_t events_at_a_time = 1 << 20;
  static constexpr std::uint64_t definitions_at_a_time = 4 << 20;
  // Regions: those of functions come behind.
  static constexpr std::uint32_t init = 0;
  static constexpr std::uint32_t finalize = 1;

  void describe() {
    check_(OTF2_Archive_SetCreator(archive_.get(), "hypermile"));
    check_(OTF2_Archive_SetDescription(archive_.get(), head_.program.c_str()));
    const auto property = [&](const char* name, const std::string& value) {
      check_(OTF2_Archive_SetProperty(archive_.get(), name, value.c_str(), true));
    };
    property(times_property, run_.forecast ? "forecast, " + run_.label : recorded_times);
    property("HYPERMILE::PLATFORM", head_.platform);
    std::vector<model::Gear> gears;
    for (const TracedNode& node : run_.nodes)
      gears.push_back(node.gear);
    property("HYPERMILE::GEARS", fmt::format("{}", fmt::join(gears, ",")));
    property("HYPERMILE::TIME_S", fmt::format("{}", run_.time().value()));
    property("HYPERMILE::ENERGY_J", fmt::format("{}", run_.energy().value()));
  }

  [[nodiscard]] std::uint64_t at(Seconds moment) const {
    return static_cast<std::uint64_t>(ticks_.at(moment) - ticks_.from());
  }

  void write_rank(std::uint32_t r) {
    OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive_.get(), r);
    if (writer == nullptr)
      check_(OTF2_ERROR_INVALID);
    const Schedule::Rank& times = run_.schedule.ranks[r];
    const auto pass = [&](std::uint32_t region, Seconds from, Seconds to) {
      check_(OTF2_EvtWriter_Enter(writer, nullptr, at(from), region));
      check_(OTF2_EvtWriter_Leave(writer, nullptr, at(to), region));
    };
    pass(init, times.begin, times.begin);
    for (const Schedule::Call& call : times.calls)
      if (ticks_.inside(call.entered, call.left) && keeps_collectives(r, call))
        write_call(writer, r, call);
    pass(finalize, times.end, run_.schedule.end());
    check_(OTF2_EvtWriter_GetNumberOfEvents(writer, &event_counts_[r]));
    check_(OTF2_Archive_CloseEvtWriter(archive_.get(), writer));
  }

  /// A collective function without its operation would say nothing.
  [[nodiscard]] bool keeps_collectives(std::uint32_t r, const Schedule::Call& call) const {
    const EventIndex first = matching_.first_event(r);
    for (EventIndex e = first + call.first; e < first + call.end; ++e)
      if (matching_.operation(e).action == Action::arrive && !kept_.has(e))
        return false;
    return true;
  }

  std::uint32_t region(std::uint16_t function) {
    if (region_of_[function] == 0) {
      region_of_[function] = static_cast<std::uint32_t>(regions_.size()) + finalize + 1;
      regions_.push_back(shown_name(timeline_.functions[function]));
    }
    return region_of_[function];
  }

  void write_call(OTF2_EvtWriter* writer, std::uint32_t r, const Schedule::Call& call) {
    const EventIndex first = matching_.first_event(r);
    const std::uint32_t own = region(matching_.operation(first + call.first).function);
    const std::uint64_t entered = at(call.entered);
    const std::uint64_t left = at(call.left);
    check_(OTF2_EvtWriter_Enter(writer, nullptr, entered, own));
    for (EventIndex e = first + call.first; e < first + call.end; ++e)
      if (kept_.has(e))
        write_begin(writer, e, first + call.end, entered);
    for (EventIndex e = first + call.first; e < first + call.end; ++e)
      if (matching_.operation(e).action == Action::complete && kept_.has(matching_.start(e)))
        write_end(writer, e, first + call.first, left);
    check_(OTF2_EvtWriter_Leave(writer, nullptr, left, own));
  }

  /// Whether the call that ends before this event waits for what it has begun.
  [[nodiscard]] bool waits_for_itself(EventIndex start, EventIndex call_end) const {
    const EventIndex end = matching_.completion(start);
    return end != nothing && end < call_end;
  }

  void write_begin(OTF2_EvtWriter* writer, EventIndex e, EventIndex call_end, std::uint64_t now) {
    const Operation& begun = matching_.operation(e);
    const bool blocking = waits_for_itself(e, call_end);
    const std::uint32_t comm = communicators_.number(begun.communicator);
    const std::uint32_t partner = communicators_.rank_in(begun.communicator, begun.partner);
    const auto tag = static_cast<std::uint32_t>(begun.tag);
    if (begun.action == Action::send && blocking)
      check_(OTF2_EvtWriter_MpiSend(writer, nullptr, now, partner, comm, tag, begun.bytes));
    else if (begun.action == Action::send)
      check_(OTF2_EvtWriter_MpiIsend(writer, nullptr, now, partner, comm, tag, begun.bytes, e));
    else if (begun.action == Action::receive && !blocking)
      check_(OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, now, e));
    else if (begun.action == Action::arrive && blocking)
      check_(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, now));
    else if (begun.action == Action::arrive)
      check_(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, now, e));
  }

  void write_end(OTF2_EvtWriter* writer, EventIndex e, EventIndex call_first, std::uint64_t now) {
    const EventIndex start = matching_.start(e);
    const Operation& begun = matching_.operation(start);
    const bool blocking = start >= call_first;
    const std::uint32_t comm = communicators_.number(begun.communicator);
    const std::uint32_t partner = communicators_.rank_in(begun.communicator, begun.partner);
    const auto tag = static_cast<std::uint32_t>(begun.tag);
    if (begun.action == Action::send && !blocking)
      check_(OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, now, start));
    else if (begun.action == Action::receive && blocking)
      check_(OTF2_EvtWriter_MpiRecv(writer, nullptr, now, partner, comm, tag, begun.bytes));
    else if (begun.action == Action::receive)
      check_(OTF2_EvtWriter_MpiIrecv(writer, nullptr, now, partner, comm, tag, begun.bytes, start));
    if (begun.action != Action::arrive)
      return;
    const std::uint32_t root = begun.partner < 0 ? OTF2_COLLECTIVE_ROOT_NONE : partner;
    const Otf2Collective told = sizes_.of(start);
    if (blocking)
      check_(OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, now, told.operation, comm, root,
                                             told.sent, told.received));
    else
      check_(OTF2_EvtWriter_NonBlockingCollectiveComplete(
          writer, nullptr, now, told.operation, comm, root, told.sent, told.received, start));
  }

  std::uint32_t text(const std::string& text) {
    const auto [found, is_new] =
        strings_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
    if (is_new)
      check_(OTF2_GlobalDefWriter_WriteString(definitions_, found->second, text.c_str()));
    return found->second;
  }

  void write_definitions() {
    check_(OTF2_Archive_OpenDefFiles(archive_.get()));
    for (std::uint32_t r = 0; r < timeline_.ranks.size(); ++r)
      check_(OTF2_Archive_CloseDefWriter(archive_.get(),
                                         OTF2_Archive_GetDefWriter(archive_.get(), r)));
    counters_.close_definitions(archive_.get(), check_);
    check_(OTF2_Archive_CloseDefFiles(archive_.get()));
    definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_.get());
    if (definitions_ == nullptr)
      check_(OTF2_ERROR_INVALID);
    check_(OTF2_GlobalDefWriter_WriteClockProperties(
        definitions_, static_cast<std::uint64_t>(picoseconds), 0,
        static_cast<std::uint64_t>(ticks_.to() - ticks_.from()), OTF2_UNDEFINED_TIMESTAMP));
    define_places();
    define_regions();
    define_communicators();
    counters_.define(
        definitions_, [this](const std::string& words) { return text(words); }, check_);
    check_(OTF2_Archive_CloseGlobalDefWriter(archive_.get(), definitions_));
  }

  void define_places() {
    check_(OTF2_GlobalDefWriter_WriteSystemTreeNode(
        definitions_, 0, text(head_.platform), text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (std::uint32_t n = 0; n < run_.nodes.size(); ++n) {
      check_(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, n + 1, text(run_.nodes[n].name),
                                                      text("node"), 0));
      for (const std::uint32_t r : run_.nodes[n].ranks) {
        check_(OTF2_GlobalDefWriter_WriteLocationGroup(
            definitions_, r, text(fmt::format("MPI Rank {}", r)), OTF2_LOCATION_GROUP_TYPE_PROCESS,
            n + 1, OTF2_UNDEFINED_LOCATION_GROUP));
        check_(OTF2_GlobalDefWriter_WriteLocation(definitions_, r, text("Master thread"),
                                                  OTF2_LOCATION_TYPE_CPU_THREAD, event_counts_[r],
                                                  r));
      }
    }
  }

  void define_region(std::uint32_t number, const std::string& name) {
    const OTF2_Paradigm paradigm =
        name.starts_with("MPI_") ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER;
    check_(OTF2_GlobalDefWriter_WriteRegion(definitions_, number, text(name), text(name), text(""),
                                            OTF2_REGION_ROLE_FUNCTION, paradigm,
                                            OTF2_REGION_FLAG_NONE, text(""), 0, 0));
  }

  void define_regions() {
    define_region(init, "MPI_Init");
    define_region(finalize, "MPI_Finalize");
    for (std::uint32_t i = 0; i < regions_.size(); ++i)
      define_region(finalize + 1 + i, regions_[i]);
  }

  void define_group(std::uint32_t number, const char* name, OTF2_GroupType type,
                    const std::vector<std::uint64_t>& members) {
    check_(OTF2_GlobalDefWriter_WriteGroup(
        definitions_, number, text(name), type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
        static_cast<std::uint32_t>(members.size()), members.data()));
  }

  void define_communicators() {
    std::vector<std::uint64_t> all(timeline_.ranks.size());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    define_group(0, "ranks", OTF2_GROUP_TYPE_COMM_LOCATIONS, all); // what the others refer to
    define_group(1, "MPI_COMM_WORLD", OTF2_GROUP_TYPE_COMM_GROUP, all);
    define_group(2, "MPI_COMM_SELF", OTF2_GROUP_TYPE_COMM_SELF, {});
    const auto define = [&](std::uint32_t number, const std::string& name, std::uint32_t parent) {
      check_(OTF2_GlobalDefWriter_WriteComm(definitions_, number, text(name), number + 1, parent,
                                            OTF2_COMM_FLAG_NONE));
    };
    define(0, "MPI_COMM_WORLD", OTF2_UNDEFINED_COMM);
    define(1, "MPI_COMM_SELF", OTF2_UNDEFINED_COMM);
    for (const auto& [number, members] : communicators_.made()) {
      define_group(number + 1, "", OTF2_GROUP_TYPE_COMM_GROUP, members);
      define(number, fmt::format("communicator {}", number - 1), 0);
    }
  }

  struct CloseArchive {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
  };

  const TraceHead& head_;
  const TracedRun& run_;
  const model::Timeline& timeline_;
  const std::string& folder_;
  Otf2Errors errors_;
  Checked check_;
  Ticks ticks_;
  Matching matching_;
  Otf2Sizes sizes_;
  WrittenCommunicators communicators_;
  KeptEvents kept_;
  Otf2Counters counters_;
  std::unique_ptr<OTF2_Archive, CloseArchive> archive_;
  OTF2_GlobalDefWriter* definitions_ = nullptr;
  std::map<std::string, std::uint32_t> strings_;
  std::vector<std::string> regions_;     ///< of functions that were called
  std::vector<std::uint32_t> region_of_; ///< by function; 0: not called
  std::vector<std::uint64_t> event_counts_;
};

} // namespace

void write_otf2(const TraceHead& head, const TracedRun& run, const std::string& folder,
                const Progress& progress) {
  Writer(head, run, folder).write(progress);
}

} // namespace hypermile::trace
