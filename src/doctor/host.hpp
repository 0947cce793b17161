#pragma once

#include "doctor/places.hpp"

#include <string>

namespace hypermile::doctor {

/// What kind of machine this is, and who asks.
struct Host {
  std::string name;
  std::string kernel;           ///< its release; empty where it does not tell
  std::string user;             ///< who asks
  bool is_root = false;         ///< who may do what other users may not
  bool is_virtual = false;      ///< a guest of a hypervisor
  std::string hypervisor;       ///< which, if it tells
  std::string container;        ///< what kind of container this runs in; empty: none that shows
  std::string processor_vendor; ///< "GenuineIntel", "AuthenticAMD"; empty where it does not tell
};

Host examine_host(const Places& places);

} // namespace hypermile::doctor
