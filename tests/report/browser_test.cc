// SPDX-License-Identifier: GPL-2.0-or-later
// The pages in a real browser: reached by the Tab key, printed, in the light and in the dark, on a telephone, and
// without a word on the console. One host and a merged fleet of 200.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/report/browser.h"
#include "tests/report/sample.h"

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

#ifdef __SANITIZE_ADDRESS__
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

constexpr int kTabKey = 9;
constexpr int kEnterKey = 13;

// Texts whose contrast with what lies behind them is under 4.5, and how many were looked at.
constexpr const char* kDimTexts = R"js((() => {
  const channels = text => (text.match(/[\d.]+/g) || []).map(Number);
  const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const color = channels(getComputedStyle(each).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  let looked = 0;
  const dim = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    const hasText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!hasText || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const a = luminance(channels(element.namespaceURI.endsWith('svg') ? style.fill : style.color));
    const b = luminance(behind(element));
    ++looked;
    if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) dim.add(element.outerHTML.slice(0, 120));
  }
  return {looked, dim: [...dim]};
})())js";

// What is hidden or cut off although paper has no way to open or to scroll it.
constexpr const char* kNotOnPaper = R"js(
  [...document.querySelectorAll('.row, details dl, td, .tactic li')].filter(element => {
    const box = element.getBoundingClientRect();
    return !element.checkVisibility() || box.height === 0 || box.right > document.documentElement.clientWidth + 1;
  }).map(element => element.outerHTML.slice(0, 120)))js";

constexpr const char* kUnfold = "document.querySelectorAll('details').forEach(each => each.open = true)";

class HtmlInABrowser : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    if (!kIsSanitized && Browser::is_here()) browser_ = std::make_unique<Browser>();
  }
  static void TearDownTestSuite() { browser_.reset(); }
  void SetUp() override {
    if (kIsSanitized) GTEST_SKIP() << "the pages are the same without the sanitizers";
    if (!browser_) GTEST_SKIP() << "no chromium (package chromium)";
    browser_->call("Emulation.clearDeviceMetricsOverride");
    show_as("screen", "light");
    browser_->open(page());
  }
  void TearDown() override {
    if (!browser_) return;
    EXPECT_THAT(browser_->take_console(), IsEmpty());
  }
  static std::string page() { return GetParam() == "host" ? write_html(hostile_report(), {}) : fleet_page(200); }
  static void show_as(const std::string& media, const std::string& scheme) {
    browser_->call("Emulation.setEmulatedMedia",
                   {{"media", media}, {"features", {{{"name", "prefers-color-scheme"}, {"value", scheme}}}}});
  }
  static std::string background() { return browser_->evaluate("getComputedStyle(document.body).backgroundColor"); }
  static std::size_t printed_pages() {
    const std::string pdf = browser_->call("Page.printToPDF", {{"transferMode", "ReturnAsStream"}}).at("stream");
    std::string bytes;
    for (bool more = true; more;) {
      const Json part = browser_->call("IO.read", {{"handle", pdf}});
      bytes += part.value("base64Encoded", false) ? decoded(part["data"]) : part["data"].get<std::string>();
      more = !part.value("eof", true);
    }
    std::size_t pages = 0;
    for (auto at = bytes.find("/Type /Page\n"); at != std::string::npos; at = bytes.find("/Type /Page\n", at + 1))
      ++pages;
    return pages;
  }
  static std::string decoded(const std::string& base64) {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t bits = 0;
    int have = 0;
    for (const char c : base64) {
      if (c == '=') break;
      bits = bits << 6U | static_cast<std::uint32_t>(kDigits.find(c));
      have += 6;
      if (have < 8) continue;
      have -= 8;
      out += static_cast<char>(bits >> static_cast<unsigned>(have) & 0xFFU);
    }
    return out;
  }
  static inline std::unique_ptr<Browser> browser_;
};

TEST_P(HtmlInABrowser, SaysNothingOnTheConsole) {
  EXPECT_THAT(browser_->take_console(), IsEmpty());
  EXPECT_EQ(browser_->evaluate("document.scripts.length"), 0);
  EXPECT_GT(browser_->evaluate("document.querySelectorAll('svg text').length"), 10);
  // The test must be able to fail.
  browser_->evaluate("console.error('seen')");
  EXPECT_THAT(Json(browser_->take_console()).dump(), HasSubstr("seen"));
  browser_->open(
      "<!DOCTYPE html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">"
      "<img src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\">");
  EXPECT_THAT(Json(browser_->take_console()).dump(), HasSubstr("Content Security Policy"));
}

TEST_P(HtmlInABrowser, IsReachedByTheTabKeyFromTopToBottom) {
  const int count = browser_->evaluate(
      "(window.reach = [...document.querySelectorAll('summary, a[href], [tabindex]')]"
      ".filter(each => each.checkVisibility())).length");
  ASSERT_GT(count, 5);
  const std::string where =
      "[reach.indexOf(document.activeElement), getComputedStyle(document.activeElement).outlineStyle]";
  for (int i = 0; i < count; ++i) {
    browser_->press("Tab", kTabKey);
    ASSERT_EQ(browser_->evaluate(where), (Json{i, "solid"})) << "in order, and to be seen";
  }
  browser_->press("Tab", kTabKey);
  EXPECT_EQ(browser_->evaluate("document.activeElement.tagName"), "BODY") << "and out again";
}

TEST_P(HtmlInABrowser, OpensByTheEnterKey) {
  ASSERT_TRUE(browser_->evaluate("(window.folded = document.querySelector('details:not([open])')) !== null"));
  browser_->evaluate("folded.firstElementChild.focus()");
  browser_->press("Enter", kEnterKey, "\r");
  EXPECT_EQ(browser_->evaluate("folded.open"), true);
}

TEST_P(HtmlInABrowser, CanBeReadInTheLightInTheDarkAndOnPaper) {
  std::map<std::string, std::string> backgrounds;
  for (const auto& [media, scheme] :
       std::vector<std::pair<std::string, std::string>>{{"screen", "light"}, {"screen", "dark"}, {"print", "dark"}}) {
    show_as(media, scheme);
    backgrounds[media + " " + scheme] = background();
    browser_->evaluate(kUnfold);
    const Json texts = browser_->evaluate(kDimTexts);
    EXPECT_EQ(texts["dim"], Json::array()) << media << " " << scheme;
    EXPECT_GT(texts["looked"], 100);
  }
  EXPECT_NE(backgrounds["screen light"], backgrounds["screen dark"]);
  EXPECT_EQ(backgrounds["print dark"], "rgb(255, 255, 255)") << "nobody prints black sheets";
}

TEST_P(HtmlInABrowser, HasEverythingOnPaper) {
  show_as("print", "dark");
  // As wide as a sheet of A4.
  browser_->call("Emulation.setDeviceMetricsOverride",
                 {{"width", 720}, {"height", 1000}, {"deviceScaleFactor", 1}, {"mobile", false}});
  EXPECT_EQ(browser_->evaluate(kNotOnPaper), Json::array());
  const auto as_it_is = printed_pages();
  EXPECT_GT(as_it_is, 2U);
  browser_->evaluate(kUnfold);
  EXPECT_EQ(printed_pages(), as_it_is) << "what is folded away is printed";
}

TEST_P(HtmlInABrowser, FitsATelephone) {
  browser_->call("Emulation.setDeviceMetricsOverride",
                 {{"width", 360}, {"height", 640}, {"deviceScaleFactor", 2}, {"mobile", true}});
  browser_->evaluate(kUnfold);
  EXPECT_LE(browser_->evaluate("document.documentElement.scrollWidth"), 360);
}

INSTANTIATE_TEST_SUITE_P(Pages, HtmlInABrowser, testing::Values("host", "fleet"),
                         [](const auto& page) { return page.param; });

}  // namespace
}  // namespace gpuharden::test
