#include "report/page.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

TEST(page, keeps_its_data_inside_of_the_script) {
  const nlohmann::json data{{"name", "</script><!-- <script> & \" ' \\"}};
  const std::string text = inside_script(data.dump());
  EXPECT_EQ(text.find('<'), std::string::npos) << text;
  EXPECT_EQ(nlohmann::json::parse(text), data);
}

TEST(page, has_the_data_in_place_of_the_marker) {
  EXPECT_EQ(fill_page("<p>@HYPERMILE_DATA@</p>", R"({"a":"<b>"})", "x.html"),
            R"(<p>{"a":"\u003cb>"}</p>)");
}

TEST(page, may_have_the_marker_in_its_data) {
  EXPECT_EQ(fill_page("[@HYPERMILE_DATA@]", R"("@HYPERMILE_DATA@")", "x.html"),
            R"(["@HYPERMILE_DATA@"])");
}

TEST(page, without_a_marker_or_with_two_is_refused) {
  for (const char* const page : {"", "<p></p>", "@HYPERMILE_DATA@ @HYPERMILE_DATA@"})
    try {
      (void)fill_page(page, "{}", "share/x.html");
      ADD_FAILURE() << page;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::unsupported);
      EXPECT_NE(std::string(error.what()).find("share/x.html"), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace hypermile::report
