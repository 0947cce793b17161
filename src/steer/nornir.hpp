#pragma once

#include "steer/nornir_model.hpp"
#include "steer/search.hpp"

#include <optional>
#include <vector>

namespace hypermile::steer {

/// The method of [N16], Algorithms 1 and 2: calibrates in the lowest gear until both models predict
/// a configuration that was not visited to 10 %, then takes the best that they predict.
class NornirSearch final : public Search {
public:
  enum class Pick : bool {
    /// As printed: stays in the configuration that is predicted to be the best.
    literal,
    /// Visits it first. What it was off corrects all predictions of what was not visited; ends when
    /// the best by then has been visited.
    verified
  };

  NornirSearch(const Space& space, const Goal& goal, Pick pick);

  Step next() override;
  void observe(std::size_t configuration, const Measurement& measured) override;
  void correct(std::size_t configuration, const Measurement& measured) override;
  [[nodiscard]] std::optional<Performance> expected(std::size_t configuration) const override;

private:
  [[nodiscard]] double distance(std::size_t from, std::size_t to) const;
  [[nodiscard]] Performance predicted(std::size_t index) const;
  [[nodiscard]] std::size_t best_predicted() const;

  Pick pick_;
  std::vector<std::size_t> to_calibrate_; ///< the next one last
  std::optional<NornirModel> model_;
  bool calibrated_ = false;
};

} // namespace hypermile::steer
