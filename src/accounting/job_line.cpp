#include "accounting/job_line.hpp"

#include "io/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace hypermile::accounting {
namespace {

using nlohmann::ordered_json;

constexpr const char* schema = "hypermile/job-line/1";

constexpr std::array<std::pair<EnergyBy, std::string_view>, 3> bases{
    {{EnergyBy::meters, "meters"},
     {EnergyBy::power_tables, "power tables"},
     {EnergyBy::assumption, "assumed power"}}};

template <class Quantity> ordered_json value_of(const std::optional<Quantity>& quantity) {
  return quantity ? ordered_json(quantity->value()) : ordered_json();
}

ordered_json percent(const std::optional<double>& ratio) {
  return ratio ? ordered_json(100 * *ratio) : ordered_json();
}

ordered_json known(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

/// A place in a line, with what is null there as none.
class Line {
public:
  explicit Line(const io::JsonReader& reader) : reader_(reader) {}

  [[nodiscard]] std::string text(std::string_view key) const { return reader_.at(key).text(); }
  [[nodiscard]] std::string known_text(std::string_view key) const {
    const auto value = reader_.at(key);
    return value.is_null() ? "" : value.text();
  }
  template <class Quantity> std::optional<Quantity> quantity(std::string_view key) const {
    const auto value = reader_.at(key);
    return value.is_null() ? std::nullopt : std::optional(Quantity{value.not_negative()});
  }
  /// May be below 0, up to 100 % in either direction or so: a saving that is a loss.
  [[nodiscard]] std::optional<double> ratio(std::string_view key) const {
    const auto value = reader_.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.number() / 100);
  }

private:
  const io::JsonReader& reader_;
};

Step parse_step(const io::JsonReader& reader, const Line& line) {
  Step step;
  if (const auto job = reader.at("job_id"); !job.is_null())
    step.job = job.index();
  step.step = line.known_text("step");
  step.cluster = line.known_text("cluster");
  step.user = line.text("user");
  if (step.job.has_value() == step.step.empty())
    reader.at("step").fail("goes with job_id: both are null or none is");
  if (line.known_text("sacct_id") != step.sacct_id())
    reader.at("sacct_id").fail("is not job_id.step");
  return step;
}

std::optional<EnergyBy> parse_basis(const io::JsonReader& value) {
  if (value.is_null())
    return std::nullopt;
  const std::string text = value.text();
  for (const auto& [by, name] : bases)
    if (text == name)
      return by;
  value.fail("is none of meters, power tables, assumed power");
}

} // namespace

std::string_view name_of(EnergyBy by) {
  for (const auto& [known, name] : bases)
    if (known == by)
      return name;
  return "";
}

std::string print_job_line(const JobLine& job) {
  const ordered_json json{
      {"schema", schema},
      {"job_id", job.step.job ? ordered_json(*job.step.job) : ordered_json()},
      {"step", known(job.step.step)},
      {"sacct_id", known(job.step.sacct_id())},
      {"cluster", known(job.step.cluster)},
      {"user", job.step.user},
      {"ended_unix_s", job.ended_unix_s},
      {"program", known(job.program)},
      {"ranks", job.ranks},
      {"nodes", job.nodes},
      {"emulated", job.emulated},
      {"time_s", job.time.value()},
      {"gear0_time_s", value_of(job.gear0_time)},
      {"energy_j", value_of(job.energy)},
      {"gear0_energy_j", value_of(job.gear0_energy)},
      {"energy_by", job.energy_by ? ordered_json(name_of(*job.energy_by)) : ordered_json()},
      {"gears_set", job.gears_set},
      {"saving_percent", percent(job.saving)},
      {"slowdown_percent", percent(job.slowdown)},
      {"possible_saving_percent", percent(job.possible_saving)},
      {"possible_slowdown_percent", percent(job.possible_slowdown)},
      {"method", job.method},
      {"objective", job.objective},
      {"max_slowdown_percent", percent(job.max_slowdown)},
      {"verdict", known(job.verdict)}};
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

JobLine parse_job_line(std::string_view text, const std::string& file) {
  const io::JsonReader reader(io::parse_json(text, file), file);
  reader.expect_keys({"schema",
                      "job_id",
                      "step",
                      "sacct_id",
                      "cluster",
                      "user",
                      "ended_unix_s",
                      "program",
                      "ranks",
                      "nodes",
                      "emulated",
                      "time_s",
                      "gear0_time_s",
                      "energy_j",
                      "gear0_energy_j",
                      "energy_by",
                      "gears_set",
                      "saving_percent",
                      "slowdown_percent",
                      "possible_saving_percent",
                      "possible_slowdown_percent",
                      "method",
                      "objective",
                      "max_slowdown_percent",
                      "verdict"});
  if (reader.at("schema").text() != schema)
    reader.at("schema").fail("is not hypermile/job-line/1");
  const Line line(reader);
  JobLine job;
  job.step = parse_step(reader, line);
  job.ended_unix_s = reader.at("ended_unix_s").not_negative();
  job.program = line.known_text("program");
  job.ranks = reader.at("ranks").index();
  for (const auto& node : reader.at("nodes").elements())
    job.nodes.push_back(node.text());
  job.emulated = reader.at("emulated").boolean();
  job.time = Seconds{reader.at("time_s").not_negative()};
  job.gear0_time = line.quantity<Seconds>("gear0_time_s");
  job.energy = line.quantity<Joules>("energy_j");
  job.gear0_energy = line.quantity<Joules>("gear0_energy_j");
  job.energy_by = parse_basis(reader.at("energy_by"));
  job.gears_set = reader.at("gears_set").boolean();
  job.saving = line.ratio("saving_percent");
  job.slowdown = line.ratio("slowdown_percent");
  job.possible_saving = line.ratio("possible_saving_percent");
  job.possible_slowdown = line.ratio("possible_slowdown_percent");
  job.method = line.text("method");
  job.objective = line.text("objective");
  job.max_slowdown = line.ratio("max_slowdown_percent");
  job.verdict = line.known_text("verdict");
  return job;
}

std::vector<JobLine> parse_job_lines(std::string_view text, const std::string& file) {
  std::vector<JobLine> jobs;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string where = fmt::format("{}:{}", file, number);
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      throw Error(ErrorKind::config, fmt::format("{}: the line has no end", where),
                  "the same again, if a job is just ending; else remove the line");
    jobs.push_back(parse_job_line(text.substr(0, end), where));
    text.remove_prefix(end + 1);
  }
  return jobs;
}

} // namespace hypermile::accounting
