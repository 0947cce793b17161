#include "model/call_sensitivities.hpp"

namespace hypermile::model {

double CallSensitivities::before(std::string_view function, std::uint32_t place,
                                 double of_type) const {
  const Call* of_function = nullptr;
  for (const Call& call : calls) {
    if (call.function != function)
      continue;
    if (call.place == place)
      return call.sensitivity;
    if (call.place == 0)
      of_function = &call;
  }
  return of_function != nullptr ? of_function->sensitivity : otherwise.value_or(of_type);
}

} // namespace hypermile::model
