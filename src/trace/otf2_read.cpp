#include "trace/otf2.hpp"

#include "trace/otf2_definitions.hpp"
#include "trace/otf2_library.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace hypermile::trace {
namespace {

constexpr const char* complete = "a trace that is complete";

bool has_root_in_otf2(std::uint32_t root) { return root < OTF2_COLLECTIVE_ROOT_THIS_GROUP; }

/// None: it moves nothing between ranks that anybody could follow.
std::optional<Collective> collective_of(OTF2_CollectiveOp operation) {
  switch (operation) {
  case OTF2_COLLECTIVE_OP_BARRIER:
    return Collective::barrier;
  case OTF2_COLLECTIVE_OP_BCAST:
    return Collective::bcast;
  case OTF2_COLLECTIVE_OP_GATHER:
    return Collective::gather;
  case OTF2_COLLECTIVE_OP_GATHERV:
    return Collective::gatherv;
  case OTF2_COLLECTIVE_OP_SCATTER:
    return Collective::scatter;
  case OTF2_COLLECTIVE_OP_SCATTERV:
    return Collective::scatterv;
  case OTF2_COLLECTIVE_OP_ALLGATHER:
    return Collective::allgather;
  case OTF2_COLLECTIVE_OP_ALLGATHERV:
    return Collective::allgatherv;
  case OTF2_COLLECTIVE_OP_ALLTOALL:
    return Collective::alltoall;
  case OTF2_COLLECTIVE_OP_ALLTOALLV:
  case OTF2_COLLECTIVE_OP_ALLTOALLW:
    return Collective::alltoallv;
  case OTF2_COLLECTIVE_OP_ALLREDUCE:
    return Collective::allreduce;
  case OTF2_COLLECTIVE_OP_REDUCE:
    return Collective::reduce;
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
    return Collective::reduce_scatter;
  case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
    return Collective::reduce_scatter_block;
  case OTF2_COLLECTIVE_OP_SCAN:
  case OTF2_COLLECTIVE_OP_EXSCAN:
    return Collective::scan;
  case OTF2_COLLECTIVE_OP_CREATE_HANDLE:
    return Collective::makes_communicator;
  default:
    return std::nullopt;
  }
}

/// What callbacks work on.
struct Reading {
  const Otf2Definitions& definitions;
  RankBuilder builder;
  std::size_t flushes = 0;
  std::exception_ptr error{};
};

/// The library is C: exceptions wait until it has returned.
template <class Work> OTF2_CallbackCode guarded(void* data, OTF2_TimeStamp time, const Work& work) {
  auto& reading = *static_cast<Reading*>(data);
  try {
    reading.builder.at(time);
    work(reading);
    return OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    reading.error = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

[[noreturn]] void cannot_follow(const std::string& what, const std::string& advice) {
  throw Error(ErrorKind::config, what, advice);
}

const Region& region_in(const Reading& reading, OTF2_RegionRef region) {
  const auto found = reading.definitions.regions.find(region);
  if (found == reading.definitions.regions.end())
    cannot_follow(fmt::format("region {} is not defined", region), complete);
  return found->second;
}

IncomingCollective incoming(Collective operation, OTF2_CommRef communicator, std::uint32_t root,
                            std::uint64_t sent, std::uint64_t received) {
  return {.event = 0,
          .operation = operation,
          .communicator = communicator,
          .root = has_root_in_otf2(root) ? root : IncomingCollective::no_root,
          .sent = sent,
          .received = received};
}

using Attributes = OTF2_AttributeList;

OTF2_CallbackCode on_enter(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                           Attributes*, OTF2_RegionRef region) {
  return guarded(data, time, [&](Reading& r) { r.builder.enter(region_in(r, region)); });
}
OTF2_CallbackCode on_leave(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                           Attributes*, OTF2_RegionRef region) {
  return guarded(data, time, [&](Reading& r) { r.builder.leave(region_in(r, region)); });
}
OTF2_CallbackCode on_send(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                          Attributes*, std::uint32_t to, OTF2_CommRef communicator,
                          std::uint32_t tag, std::uint64_t bytes) {
  return guarded(data, time, [&](Reading& r) { r.builder.send({to, communicator, tag, bytes}); });
}
OTF2_CallbackCode on_isend(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                           Attributes*, std::uint32_t to, OTF2_CommRef communicator,
                           std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
  return guarded(data, time, [&](Reading& r) {
    r.builder.start_send({to, communicator, tag, bytes}, request);
  });
}
OTF2_CallbackCode on_isend_complete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                    void* data, Attributes*, std::uint64_t request) {
  return guarded(data, time, [&](Reading& r) { r.builder.end_send(request); });
}
OTF2_CallbackCode on_irecv_request(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                   Attributes*, std::uint64_t request) {
  return guarded(data, time, [&](Reading& r) { r.builder.start_receive(request); });
}
OTF2_CallbackCode on_recv(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                          Attributes*, std::uint32_t from, OTF2_CommRef communicator,
                          std::uint32_t tag, std::uint64_t bytes) {
  return guarded(data, time, [&](Reading& r) {
    r.builder.receive({from, communicator, tag, bytes});
  });
}
OTF2_CallbackCode on_irecv(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                           Attributes*, std::uint32_t from, OTF2_CommRef communicator,
                           std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
  return guarded(data, time, [&](Reading& r) {
    r.builder.end_receive({from, communicator, tag, bytes}, request);
  });
}
OTF2_CallbackCode on_cancelled(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                               Attributes*, std::uint64_t request) {
  return guarded(data, time, [&](Reading& r) { r.builder.cancel(request); });
}
OTF2_CallbackCode on_collective(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                Attributes*, OTF2_CollectiveOp operation, OTF2_CommRef communicator,
                                std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
  return guarded(data, time, [&](Reading& r) {
    if (const auto known = collective_of(operation))
      r.builder.collective(incoming(*known, communicator, root, sent, received));
  });
}
OTF2_CallbackCode on_collective_request(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                        void* data, Attributes*, std::uint64_t request) {
  return guarded(data, time, [&](Reading& r) { r.builder.start_collective(request); });
}
OTF2_CallbackCode on_collective_complete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t,
                                         void* data, Attributes*, OTF2_CollectiveOp operation,
                                         OTF2_CommRef communicator, std::uint32_t root,
                                         std::uint64_t sent, std::uint64_t received,
                                         std::uint64_t request) {
  return guarded(data, time, [&](Reading& r) {
    const auto known = collective_of(operation);
    if (!known)
      cannot_follow("a non-blocking collective operation is of a kind that cannot be followed",
                    "a program without it");
    r.builder.end_collective(incoming(*known, communicator, root, sent, received), request);
  });
}
OTF2_CallbackCode on_flush(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                           Attributes*, OTF2_TimeStamp /*until*/) {
  return guarded(data, time, [](Reading& r) { ++r.flushes; });
}
OTF2_CallbackCode on_measurement(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                                 Attributes*, OTF2_MeasurementMode mode) {
  return guarded(data, time, [&](Reading&) {
    if (mode == OTF2_MEASUREMENT_OFF)
      cannot_follow("tracing was off for a while, so that calls are missing",
                    "a trace of the whole run");
  });
}
OTF2_CallbackCode on_window(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* data,
                            Attributes*, OTF2_RmaWinRef) {
  return guarded(data, time, [](Reading&) {
    cannot_follow("there is one-sided communication, which cannot be followed",
                  "a program that sends and receives");
  });
}
OTF2_CallbackCode on_one_sided(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t at,
                               void* data, Attributes* attributes, OTF2_RmaWinRef window,
                               std::uint32_t, std::uint64_t, std::uint64_t) {
  return on_window(location, time, at, data, attributes, window);
}

void set_callbacks(OTF2_Reader* reader, OTF2_EvtReader* events, Reading& reading) {
  OTF2_EvtReaderCallbacks* const callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, &on_enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, &on_leave);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, &on_send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, &on_isend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, &on_isend_complete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, &on_irecv_request);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, &on_recv);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, &on_irecv);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, &on_cancelled);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, &on_collective);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks,
                                                                  &on_collective_request);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks,
                                                                   &on_collective_complete);
  OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, &on_flush);
  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, &on_measurement);
  OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, &on_window);
  OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, &on_one_sided);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, &on_one_sided);
  OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &reading);
  OTF2_EvtReaderCallbacks_Delete(callbacks);
}

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using OpenReader = std::unique_ptr<OTF2_Reader, CloseReader>;

/// Corrections of the clock, and numbers of definitions that are the location's own.
void read_local_definitions(OTF2_Reader* reader, const std::vector<std::uint64_t>& locations) {
  if (OTF2_Reader_OpenDefFiles(reader) != OTF2_SUCCESS)
    return; // there need be none
  for (const std::uint64_t location : locations) {
    OTF2_DefReader* const definitions = OTF2_Reader_GetDefReader(reader, location);
    if (definitions == nullptr)
      continue;
    std::uint64_t read = 0;
    OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &read);
    OTF2_Reader_CloseDefReader(reader, definitions);
  }
  OTF2_Reader_CloseDefFiles(reader);
}

IncomingRank read_rank(OTF2_Reader* reader, std::uint64_t location, Reading& reading) {
  OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader, location);
  if (events == nullptr)
    cannot_follow("its events are not there", complete);
  OTF2_EvtReader_ApplyMappingTables(events, true);
  OTF2_EvtReader_ApplyClockOffsets(events, true);
  set_callbacks(reader, events, reading);
  std::uint64_t read = 0;
  const OTF2_ErrorCode error = OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
  OTF2_Reader_CloseEvtReader(reader, events);
  if (reading.error)
    std::rethrow_exception(reading.error);
  const std::uint64_t all = reading.definitions.all.at(location).events;
  if (error != OTF2_SUCCESS || read < all)
    cannot_follow(fmt::format("its events are cut off or damaged: {} of {} can be read", read, all),
                  complete);
  return reading.builder.finish();
}

/// Times in other gears say nothing of those in gear 0.
void check_times(OTF2_Reader* reader) {
  char* value = nullptr;
  if (OTF2_Reader_GetProperty(reader, times_property, &value) != OTF2_SUCCESS || value == nullptr)
    return;
  const std::string times = value;
  std::free(value);
  if (times != recorded_times)
    cannot_follow(fmt::format("it is a forecast by hypermile ({}), and no run", times),
                  "hypermile trace export without --run, --gears and --plan");
}

std::string description_of(OTF2_Reader* reader) {
  char* text = nullptr;
  if (OTF2_Reader_GetDescription(reader, &text) != OTF2_SUCCESS || text == nullptr)
    return "";
  std::string description = text;
  std::free(text);
  return description;
}

Otf2Trace read_all(OTF2_Reader* reader, const SpeedsOfRanks& speeds, const Progress& progress) {
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  const Otf2Definitions definitions = read_definitions(reader);
  check_times(reader);
  const std::vector<std::uint64_t>& locations = definitions.locations;
  Otf2Trace trace{.program = description_of(reader),
                  .nodes = definitions.nodes,
                  .ranks = {},
                  .communicators = definitions.communicators,
                  .other_locations = definitions.all.size() - locations.size()};
  const std::vector<Speed> of_ranks = speeds(locations.size());
  for (const std::uint64_t location : locations)
    OTF2_Reader_SelectLocation(reader, location);
  read_local_definitions(reader, locations);
  OTF2_Reader_OpenEvtFiles(reader);
  for (std::size_t r = 0; r < locations.size(); ++r) {
    try {
      Reading reading{.definitions = definitions,
                      .builder = RankBuilder(static_cast<std::uint32_t>(r), of_ranks.at(r),
                                             definitions.ticks_per_second, trace.communicators)};
      trace.ranks.push_back(read_rank(reader, locations[r], reading));
      trace.flushes += reading.flushes;
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("rank {}: {}", r, error.what()));
    }
    if (progress)
      progress(static_cast<double>(r + 1) / static_cast<double>(locations.size()));
  }
  OTF2_Reader_CloseEvtFiles(reader);
  return trace;
}

} // namespace

bool otf2_is_there() { return true; }

Otf2Trace read_otf2(const std::string& file, const SpeedsOfRanks& speeds,
                    const Progress& progress) {
  const Otf2Errors errors;
  const OpenReader reader(OTF2_Reader_Open(file.c_str()));
  if (!reader)
    throw Error(ErrorKind::config,
                fmt::format("{} is no trace that can be read: {}", file, errors.first()),
                "the file NAME.otf2 of a trace");
  try {
    return read_all(reader.get(), speeds, progress);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", file, error.what()));
  }
}

} // namespace hypermile::trace
