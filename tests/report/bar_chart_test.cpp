#include "report/bar_chart.hpp"

#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <string>

namespace hypermile::report {
namespace {

using test::count;

BarChart small_chart() {
  return {.title = "T & <U>",
          .unit = "points",
          .categories = {"CG", "EP"},
          .series = {{"published", {24.13, 26.55}}, {"alg5", {-6.2, std::nullopt}}}};
}

/// A number of the bar with this tool tip.
double number_of(const std::string& svg, const std::string& tip, const std::string& attribute) {
  const auto end = svg.find("<title>" + tip);
  EXPECT_NE(end, std::string::npos) << tip;
  const auto begin = svg.rfind("<rect", end);
  const auto at = svg.find(" " + attribute + "=\"", begin);
  return std::strtod(svg.c_str() + at + attribute.size() + 3, nullptr);
}

TEST(bar_chart, has_a_bar_with_a_tool_tip_for_each_value) {
  const std::string svg = bar_chart(small_chart());
  EXPECT_EQ(count(svg, "<title>"), 3u);
  EXPECT_EQ(count(svg, "<title>CG, published: 24.13 points</title>"), 1u);
  EXPECT_EQ(count(svg, "<title>CG, alg5: -6.20 points</title>"), 1u);
}

TEST(bar_chart, has_heights_in_proportion_to_the_values) {
  const std::string svg = bar_chart(small_chart());
  const double scale = number_of(svg, "CG, published", "height") / 24.13;
  EXPECT_GT(scale, 0);
  EXPECT_NEAR(number_of(svg, "EP, published", "height"), scale * 26.55, 0.2);
  EXPECT_NEAR(number_of(svg, "CG, alg5", "height"), scale * 6.2, 0.2);
}

TEST(bar_chart, puts_negative_values_below_the_axis_and_others_above) {
  const std::string svg = bar_chart(small_chart());
  const double axis =
      number_of(svg, "CG, published", "y") + number_of(svg, "CG, published", "height");
  EXPECT_NEAR(number_of(svg, "CG, alg5", "y"), axis, 0.2);
  EXPECT_NEAR(number_of(svg, "EP, published", "y") + number_of(svg, "EP, published", "height"),
              axis, 0.2);
}

TEST(bar_chart, keeps_bars_apart_and_inside) {
  const std::string svg = bar_chart(small_chart());
  const double width = number_of(svg, "CG, alg5", "width");
  EXPECT_GE(number_of(svg, "CG, alg5", "x"), number_of(svg, "CG, published", "x") + width);
  EXPECT_GE(number_of(svg, "EP, published", "x"), number_of(svg, "CG, alg5", "x") + width);
  const auto box = svg.find("viewBox=\"0 0 ");
  EXPECT_LE(number_of(svg, "EP, published", "x") + width,
            std::strtod(svg.c_str() + box + 13, nullptr));
}

TEST(bar_chart, follows_the_scheme_of_the_viewer_and_is_safe_xml) {
  const std::string svg = bar_chart(small_chart());
  EXPECT_EQ(count(svg, "prefers-color-scheme: dark"), 1u);
  EXPECT_EQ(count(svg, "T & "), 0u);
  EXPECT_EQ(count(svg, "T &amp; &lt;U>"), 2u); // the title, and what a screen reader says
}

TEST(bar_chart, of_nothing_but_zeros_has_an_axis) {
  const std::string svg =
      bar_chart({.title = "", .unit = "", .categories = {"CG"}, .series = {{"published", {0.0}}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(bar_chart, refuses_what_cannot_be_drawn) {
  auto chart = small_chart();
  chart.series[0].values[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)bar_chart(chart), Error);
  chart = small_chart();
  chart.series[0].values.pop_back();
  EXPECT_THROW((void)bar_chart(chart), Error);
  chart = small_chart();
  chart.series.resize(9, chart.series[0]);
  EXPECT_THROW((void)bar_chart(chart), Error);
}

} // namespace
} // namespace hypermile::report
