#include "io/json_reader.hpp"

#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace hypermile::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t largest_document = std::size_t{1} << 30;
constexpr std::size_t deepest_nesting = 64;

/// Watches a parse for what nlohmann-Json accepts and we do not.
class Watch {
public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > static_cast<int>(deepest_nesting))
      throw Error(ErrorKind::config, fmt::format("nested deeper than {} levels", deepest_nesting));
    if (event == Json::parse_event_t::object_start)
      keys_.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      keys_.pop_back();
    else if (event == Json::parse_event_t::key)
      if (auto key = parsed.get<std::string>(); !keys_.back().insert(key).second)
        throw Error(ErrorKind::config, fmt::format("the key '{}' is given twice", key));
    return true;
  }

private:
  std::vector<std::set<std::string>> keys_; // of the objects that are open
};

/// nlohmann-Json's text without its "[Json.exception.parse_error.101] " and "parse error ".
std::string without_prefix(std::string message) {
  for (const std::string_view end : {"] ", "parse error at "})
    if (const auto at = message.find(end); at != std::string::npos)
      message.erase(0, at + end.size());
  return message;
}

std::string shown(const Json& value) {
  if (value.is_structured())
    return value.is_array() ? "an array" : "an object";
  const std::string text = value.dump();
  return text.size() <= 40 ? text : text.substr(0, 40) + "...";
}

} // namespace

std::shared_ptr<const Json> parse_json(std::string_view text, const std::string& file) {
  if (text.size() > largest_document)
    throw Error(ErrorKind::config, fmt::format("{}: larger than 1 GiB", file));
  try {
    Watch watch;
    return std::make_shared<const Json>(
        Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
          return watch(depth, event, parsed);
        }));
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::config, fmt::format("{}: {}", file, without_prefix(error.what())));
  } catch (const Error& error) {
    throw Error(ErrorKind::config, fmt::format("{}: {}", file, error.what()));
  }
}

JsonReader::JsonReader(std::shared_ptr<const Json> document, std::string file)
    : document_(std::move(document)), node_(document_.get()),
      file_(std::make_shared<const std::string>(std::move(file))) {}

JsonReader::JsonReader(const JsonReader& parent, const Json& node, std::string path)
    : document_(parent.document_), node_(&node), file_(parent.file_), path_(std::move(path)) {}

void JsonReader::fail(std::string_view what, std::string_view advice) const {
  throw Error(ErrorKind::config,
              path_.empty() ? fmt::format("{}: {}", *file_, what)
                            : fmt::format("{}: {}: {}", *file_, path_, what),
              std::string(advice));
}

void JsonReader::expect_keys(std::initializer_list<std::string_view> keys) const {
  if (!node_->is_object())
    fail(fmt::format("{} is not an object", shown(*node_)));
  for (const auto& [key, value] : node_->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      fail(fmt::format("unknown key '{}'", key),
           fmt::format("one of {}", fmt::join(keys.begin(), keys.end(), ", ")));
}

bool JsonReader::has(std::string_view key) const {
  if (!node_->is_object())
    fail(fmt::format("{} is not an object", shown(*node_)));
  return node_->contains(key);
}

JsonReader JsonReader::at(std::string_view key) const {
  if (!has(key))
    fail(fmt::format("the key '{}' is missing", key));
  return {*this, node_->at(std::string(key)),
          path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
}

bool JsonReader::is_array() const { return node_->is_array(); }
bool JsonReader::is_null() const { return node_->is_null(); }

std::string JsonReader::json() const { return node_->dump(); }

std::vector<JsonReader> JsonReader::elements() const {
  if (!node_->is_array() || node_->empty())
    fail(fmt::format("{} is not an array with at least one element", shown(*node_)));
  return elements_if_any();
}

std::vector<JsonReader> JsonReader::elements_if_any() const {
  if (!node_->is_array())
    fail(fmt::format("{} is not an array", shown(*node_)));
  std::vector<JsonReader> elements;
  elements.reserve(node_->size());
  for (std::size_t i = 0; i < node_->size(); ++i)
    elements.push_back({*this, (*node_)[i], fmt::format("{}[{}]", path_, i)});
  return elements;
}

std::string JsonReader::text() const {
  if (!node_->is_string())
    fail(fmt::format("{} is not a text", shown(*node_)));
  return node_->get<std::string>();
}

std::size_t JsonReader::index() const {
  if (!node_->is_number_unsigned())
    fail(fmt::format("{} is not a whole number of at least 0", shown(*node_)));
  return node_->get<std::size_t>();
}

bool JsonReader::boolean() const {
  if (!node_->is_boolean())
    fail(fmt::format("{} is neither true nor false", shown(*node_)));
  return node_->get<bool>();
}

double JsonReader::number() const {
  if (!node_->is_number() || !std::isfinite(node_->get<double>()))
    fail(fmt::format("{} is not a number", shown(*node_)));
  return node_->get<double>();
}

double JsonReader::not_negative() const {
  if (number() < 0)
    fail(fmt::format("{} is negative", shown(*node_)));
  return node_->get<double>();
}

std::vector<double> JsonReader::numbers(std::size_t limit) const {
  if (!node_->is_array() || node_->empty())
    fail(fmt::format("{} is not an array with at least one number", shown(*node_)));
  if (node_->size() > limit)
    fail(fmt::format("more than {} values", limit));
  std::vector<double> numbers;
  numbers.reserve(node_->size());
  for (std::size_t i = 0; i < node_->size(); ++i)
    numbers.push_back(
        JsonReader(*this, (*node_)[i], fmt::format("{}[{}]", path_, i)).not_negative());
  return numbers;
}

} // namespace hypermile::io
