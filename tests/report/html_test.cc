// SPDX-License-Identifier: GPL-2.0-or-later
// The page: stands alone, says everything, can be read by everybody. browser_test.cc opens it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <regex>

#include "engine/base/text.h"
#include "engine/report/html_style.h"
#include "tests/report/sample.h"

namespace gpuharden::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(HtmlWriter, SaysEverythingOfAFinding) {
  const std::string page = write_html(sample_report(), {});
  for (const auto* part :
       {"/etc/systemd/system/vllm.service.d/10-tune.conf:4</span>", "CUDA_INJECTION64_PATH", "11434", "mallory",
        "Close it.", "What is open can be used", "T1574.006", "0123456789abcdef0123456789abcdef",
        "/home/alice is on nfs4", "no answer within 10000 ms", "No DKMS module", "accepted by alice", "python.wheels",
        "next boot", "accounts.uid-zero", "https://example.org/"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_THAT(page, HasSubstr("11 more that fail and are not listed"));
}

TEST(HtmlWriter, StandsAloneAndFetchesNothing) {
  for (const auto& page : {write_html(sample_report(), {}), write_html(hostile_report(), {}), fleet_page(3)}) {
    EXPECT_EQ(count(page, "<script"), 0U);
    EXPECT_EQ(count(page, "<img"), 0U);
    EXPECT_EQ(count(page, "<iframe"), 0U);
    EXPECT_EQ(count(page, "<link "), count(page, "href=\"data:,\""));
    EXPECT_EQ(count(page, "href=\"javascript:"), 0U);
    EXPECT_EQ(count(page, "url("), 0U);
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    static const std::regex handler("<[^>]* on[a-z]+=");
    EXPECT_FALSE(std::regex_search(page.substr(0, 20'000), handler));
    EXPECT_EQ(page.find_first_of(std::string("\x1b\x07\0", 3)), std::string::npos);
  }
}

// What can be opened or scrolled is reached by the keyboard and has a name.
TEST(HtmlWriter, CanBeUsedByTheKeyboard) {
  for (const auto& page : {write_html(sample_report(), {}), fleet_page(3)}) {
    EXPECT_EQ(count(page, "<details"), count(page, "<summary>"));
    EXPECT_GT(count(page, "class=\"scroll\""), 1U);
    EXPECT_EQ(count(page, "class=\"scroll\""),
              count(page, "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label="));
    EXPECT_EQ(count(page, "<svg"), count(page, "<svg role=\"img\""));
    EXPECT_EQ(count(page, "<html lang=\"en\">"), 1U);
    EXPECT_EQ(count(page, "<h1>"), 1U);
  }
}

using Colors = std::map<std::string, std::array<double, 3>>;

// Variables of one block of the style sheet.
Colors colors_of(const std::string& css) {
  static const std::regex variable("--([a-z-]+): *#([0-9a-f]{6})");
  Colors out;
  for (auto it = std::sregex_iterator(css.begin(), css.end(), variable); it != std::sregex_iterator(); ++it) {
    const auto value = parse_unsigned((*it)[2].str(), 16).value();
    out[(*it)[1].str()] = {static_cast<double>(value >> 16U), static_cast<double>((value >> 8U) & 0xFFU),
                           static_cast<double>(value & 0xFFU)};
  }
  return out;
}

double luminance(const std::array<double, 3>& color) {
  const auto linear = [](double channel) {
    const double c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
}

double contrast(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(HtmlStyle, HasEnoughContrastInTheLightAndInTheDark) {
  EXPECT_NEAR(contrast({255, 255, 255}, {0, 0, 0}), 21, 0.01);
  EXPECT_LT(contrast({255, 255, 255}, {150, 150, 150}), 4.5);
  const std::string css(kHtmlStyle);
  const auto dark_at = css.find("prefers-color-scheme:dark");
  const auto dark_end = css.find("*{box-sizing");
  for (const auto& colors : {colors_of(css.substr(0, dark_at)), colors_of(css.substr(dark_at, dark_end - dark_at))}) {
    ASSERT_EQ(colors.size(), 23U);
    for (const auto* text : {"fg", "muted", "link"}) {
      for (const auto* back : {"bg", "panel"})
        EXPECT_GE(contrast(colors.at(text), colors.at(back)), 4.5) << text << back;
    }
    for (const auto* cell : {"cell-good", "cell-bad", "cell-mixed", "cell-none"})
      EXPECT_GE(contrast(colors.at("fg"), colors.at(cell)), 4.5) << cell;
    for (const auto* badge : {"critical", "high", "medium", "low", "info", "fail", "error", "unknown", "waived",
                              "not-evaluated", "pass", "not-applicable"}) {
      EXPECT_GE(contrast(colors.at("on"), colors.at(badge)), 4.5) << badge;
      EXPECT_GE(contrast(colors.at(badge), colors.at("panel")), 3.0) << badge << " as a bar";
    }
  }
}

}  // namespace
}  // namespace gpuharden::test
