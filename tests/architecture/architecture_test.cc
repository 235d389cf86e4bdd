// SPDX-License-Identifier: GPL-2.0-or-later
// Holds the structure that docs/architecture.md describes: which folder may know which, how large files
// get, and what no source may call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "engine/base/text.h"
#include "tests/architecture/source_tree.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;
using testing::IsEmpty;

// From the inside out: each may include itself and what stands before it.
const std::vector<std::string> kLayers = {"base", "model", "native", "host", "rules", "scan", "gpu", "apply", "cli"};

// Doors to a C library that checks may use directly, and why.
const std::map<std::string, std::string> kNativeForChecks = {
    {"engine/native/audit.h", "decodes the raw answer that Host hands out"},
    {"engine/native/audit_line.h", "reads a line that the probe has read, and shows a rule"},
    {"engine/native/audit_names.h", "the words for the numbers in both"},
    {"engine/native/sock_diag.h", "decodes the raw answer that Host hands out"},
    {"engine/native/nft.h", "decodes the raw answer that Host hands out"},
    {"engine/native/link_programs.h", "decodes the raw answer that Host hands out"},
    {"engine/native/nft_text.h", "names families and verdicts as captures do"},
    {"engine/native/netlink_bytes.h", "takes apart what an expression of the packet filter holds"},
    {"engine/native/kmod.h", "reads a module file or a configuration that the probe has found"},
    {"engine/native/decompress.h", "unpacks bytes that the probe has read"},
    {"engine/native/yaml.h", "reads a CDI file that the probe has read"},
    {"engine/native/decompress_stream.h", "unpacks what is too large to be held"},
};

// Files over the house size, and why splitting them would be worse.
const std::map<std::string, std::string> kLongFiles = {
    {"engine/scan/reader.cc", "the parent's side of the reader: its states belong together"},
    {"engine/host/root_files.cc", "every door is a few lines over the one walk, whose state nobody else may see"},
};

std::string folder_of_engine(std::string_view path) {
  if (!is_below(path, "engine")) return {};
  const auto rest = path.substr(std::string_view("engine/").size());
  return std::string(rest.substr(0, rest.find('/')));
}

std::size_t layer_of(const std::string& folder) {
  const auto found = std::find(kLayers.begin(), kLayers.end(), folder);
  return static_cast<std::size_t>(found - kLayers.begin());
}

bool engine_may_include(const std::string& from, const std::string& target) {
  const std::string to = folder_of_engine(target);
  if (from == "report") return to == "report" || to == "model" || to == "base";
  // Only the command line knows the writers of reports.
  if (to == "report") return from == "cli";
  // What a GPU must answer is known on both sides of the worker.
  if (is_below(target, "kernels/oracle")) return layer_of(from) >= layer_of("gpu");
  return layer_of(to) <= layer_of(from) && layer_of(to) < kLayers.size();
}

bool check_may_include(const std::string& target) {
  const std::string to = folder_of_engine(target);
  if (to.empty()) return is_below(target, "checks");
  return to == "base" || to == "model" || to == "host" || target == "engine/scan/probe.h" ||
         kNativeForChecks.contains(target);
}

bool remediation_may_include(const std::string& target) {
  return check_may_include(target) || is_below(target, "remediations") || target == "engine/apply/action.h";
}

template <typename Allowed>
std::vector<std::string> forbidden_includes(std::string_view folder, Allowed allowed) {
  std::vector<std::string> found;
  for (const auto& file : source_files(folder)) {
    for (const auto& include : project_includes(file)) {
      if (allowed(file, include.target)) continue;
      found.push_back(concat({file.path, ":", std::to_string(include.line), " includes ", include.target}));
    }
  }
  return found;
}

// "path:line" of each place where the code matches.
std::vector<std::string> places(const std::vector<SourceFile>& files, const std::regex& pattern) {
  std::vector<std::string> found;
  for (const auto& file : files) {
    for (auto it = std::sregex_iterator(file.code.begin(), file.code.end(), pattern); it != std::sregex_iterator();
         ++it) {
      found.push_back(concat({place_of(file, static_cast<std::size_t>(it->position())), " ", it->str()}));
    }
  }
  return found;
}

std::vector<SourceFile> product_files() {
  auto files = all_source_files();
  std::erase_if(files, [](const SourceFile& file) { return is_below(file.path, "tests"); });
  return files;
}

std::size_t longest(const std::string& path) {
  if (path.ends_with("_test.cc")) return 500;
  return path.ends_with(".h") ? 150 : 300;
}

TEST(Architecture, EngineFoldersKnowOnlyWhatLiesFurtherIn) {
  EXPECT_THAT(forbidden_includes("engine",
                                 [](const SourceFile& file, const std::string& target) {
                                   return engine_may_include(folder_of_engine(file.path), target);
                                 }),
              IsEmpty());
}

TEST(Architecture, EveryEngineFolderHasItsPlace) {
  std::set<std::string> folders;
  for (const auto& file : source_files("engine")) folders.insert(folder_of_engine(file.path));
  folders.erase("report");
  for (const auto& folder : folders) EXPECT_LT(layer_of(folder), kLayers.size()) << folder;
}

TEST(Architecture, ChecksReachTheMachineOnlyThroughTheHost) {
  EXPECT_THAT(forbidden_includes(
                  "checks", [](const SourceFile&, const std::string& target) { return check_may_include(target); }),
              IsEmpty());
}

TEST(Architecture, ActionsSeeNoMoreThanChecksDo) {
  EXPECT_THAT(
      forbidden_includes("remediations",
                         [](const SourceFile&, const std::string& target) { return remediation_may_include(target); }),
      IsEmpty());
}

TEST(Architecture, KernelsKnowNothingOfTheEngine) {
  EXPECT_THAT(forbidden_includes(
                  "kernels", [](const SourceFile&, const std::string& target) { return is_below(target, "kernels"); }),
              IsEmpty());
}

TEST(Architecture, ProductCodeDoesNotIncludeTests) {
  std::vector<std::string> found;
  for (const auto& file : product_files()) {
    for (const auto& include : project_includes(file)) {
      if (is_below(include.target, "tests")) found.push_back(file.path);
    }
  }
  EXPECT_THAT(found, IsEmpty());
}

// C163: no diagnostics and no engine of a vendor either.
TEST(Architecture, NothingIsStartedFromThePathAndNoEnvironmentIsRead) {
  const std::regex forbidden(
      R"((^|[^A-Za-z0-9_])(system|popen|execvp|execvpe|execlp|posix_spawnp|getenv|secure_getenv)\s*\()");
  auto files = product_files();
  // main empties the environment but for what concerns the terminal; commands may ask for that.
  std::erase_if(files, [](const SourceFile& file) { return is_below(file.path, "engine/cli"); });
  EXPECT_THAT(places(files, forbidden), IsEmpty());
  EXPECT_THAT(
      places(source_files("engine/cli"), std::regex(R"([^A-Za-z0-9_](system|popen|execl?vp|posix_spawnp)\s*\()")),
      IsEmpty());
}

TEST(Architecture, FilesOfTheHostAreOpenedOnlyBehindItsDoors) {
  const std::regex opens(R"((^|[^A-Za-z0-9_])(::open|fopen|opendir|std::ifstream|std::filesystem)(\s*\(|\s|::))");
  EXPECT_THAT(places(source_files("checks"), opens), IsEmpty());
}

TEST(Architecture, OnlyTheTwoNetsCatchEverything) {
  auto files = product_files();
  std::erase_if(files, [](const SourceFile& file) {
    return is_below(file.path, "engine/scan") || file.path == "engine/cli/main.cc";
  });
  EXPECT_THAT(places(files, std::regex(R"(catch\s*\(\s*\.\.\.\s*\))")), IsEmpty());
}

TEST(Architecture, NoSourceUsesWhatClang14CannotCompile) {
  EXPECT_THAT(places(product_files(), std::regex(R"(std::(views|ranges::views|format\b|expected\b))")), IsEmpty());
}

// Two types of one name are one to the linker: the functions of the one then work on the other.
TEST(Architecture, NoTwoHeadersGiveOneNameToDifferentTypes) {
  const std::regex definition(R"(\n(?:struct|class|enum class) (\w+)[^;{]*\{)");
  const std::regex scope(R"(\nnamespace ([\w:]+) \{)");
  std::map<std::string, std::string> defined;
  std::vector<std::string> found;
  for (const auto& file : product_files()) {
    std::smatch space;
    if (!file.path.ends_with(".h") || !std::regex_search(file.code, space, scope)) continue;
    for (auto it = std::sregex_iterator(file.code.begin(), file.code.end(), definition); it != std::sregex_iterator();
         ++it) {
      const auto [other, is_new] = defined.emplace(space[1].str() + "::" + (*it)[1].str(), file.path);
      if (!is_new) found.push_back(concat({other->first, " in ", other->second, " and ", file.path}));
    }
  }
  EXPECT_GT(defined.size(), 100U);
  EXPECT_THAT(found, IsEmpty());
}

TEST(Architecture, EverySourceStartsWithItsLicence) {
  std::vector<std::string> found;
  for (const auto& file : all_source_files()) {
    if (!file.text.starts_with("// SPDX-License-Identifier: GPL-2.0-or-later\n")) found.push_back(file.path);
  }
  EXPECT_THAT(found, IsEmpty());
}

TEST(Architecture, FilesKeepToTheHouseSizes) {
  std::vector<std::string> found;
  for (const auto& file : all_source_files()) {
    const auto lines = line_count(file);
    if (lines <= longest(file.path) || kLongFiles.contains(file.path)) continue;
    found.push_back(
        concat({file.path, " has ", std::to_string(lines), " lines of ", std::to_string(longest(file.path))}));
  }
  EXPECT_THAT(found, IsEmpty());
}

TEST(Architecture, NoExceptionFromTheHouseSizesIsStale) {
  const auto files = all_source_files();
  for (const auto& [path, reason] : kLongFiles) {
    const auto file = std::find_if(files.begin(), files.end(), [&](const SourceFile& f) { return f.path == path; });
    ASSERT_NE(file, files.end()) << path;
    EXPECT_GT(line_count(*file), longest(path)) << path;
    EXPECT_FALSE(reason.empty()) << path;
  }
}

TEST(Architecture, TheTopLevelHoldsOnlyWhatIsKnown) {
  const std::set<std::string> allowed = {".cache",
                                         ".ci",
                                         ".clang-format",
                                         ".clang-tidy",
                                         ".git",
                                         ".gitignore",
                                         "build",
                                         "checks",
                                         "cmake",
                                         "CMakeLists.txt",
                                         "CMakePresets.json",
                                         "CMakeUserPresets.json",
                                         "CONTRIBUTING.md",
                                         "deploy",
                                         "dev",
                                         "dev.d",
                                         "docs",
                                         "engine",
                                         "kernels",
                                         "LICENSE",
                                         "packaging",
                                         "policies",
                                         "README.md",
                                         "remediations",
                                         "rules",
                                         "tests"};
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(source_path(""))) {
    const std::string name = entry.path().filename();
    // Only what a checkout holds: shared/ and editors' folders are nobody's business.
    const bool is_ours = entry.is_directory() ? !source_files(name).empty() : entry.path().extension() == ".cc";
    if (is_ours && !allowed.contains(name)) found.push_back(name);
  }
  EXPECT_THAT(found, IsEmpty());
  for (const auto* name : {"CMakeLists.txt", "checks", "engine", "tests", "README.md"})
    EXPECT_TRUE(fs::exists(source_path(name))) << name;
}

TEST(Completeness, EveryTestFileIsInABinary) {
  std::set<std::string> built;
  const std::string list =
      read_source(fs::relative(GPUHARDEN_BINARY_DIR "/tests/test_sources.txt", source_path("")).string());
  for (const auto line : split(list, '\n')) {
    if (!line.empty()) built.insert(fs::relative(fs::path(line), source_path("")));
  }
  for (const auto& file : source_files("tests")) {
    const bool has_tests = std::regex_search(file.code, std::regex(R"(\nTEST(_F|_P)?\()"));
    EXPECT_EQ(has_tests, file.path.ends_with("_test.cc")) << file.path;
    EXPECT_EQ(built.contains(file.path), file.path.ends_with("_test.cc")) << file.path << " (configure again?)";
  }
}

TEST(Completeness, EveryFuzzTargetHasASeed) {
  for (const auto& file : source_files("tests/fuzz")) {
    if (!file.path.ends_with("_fuzz.cc")) continue;
    EXPECT_NE(file.code.find("LLVMFuzzerTestOneInput"), std::string::npos) << file.path;
    const std::string name = fs::path(file.path).filename().string();
    const std::string corpus =
        source_path("tests/fuzz/corpus/" + name.substr(0, name.size() - std::string("_fuzz.cc").size()));
    EXPECT_TRUE(fs::exists(corpus) && !fs::is_empty(corpus)) << corpus;
  }
}

TEST(SourceTree, BlanksWhatIsNoCode) {
  EXPECT_EQ(blank_comments_and_literals("a; // system(\nb(\"getenv(\"); 'x' 1'000"),
            "a;           \nb(         );     1'000");
  EXPECT_EQ(blank_comments_and_literals("R\"q(\")q\" /* \n */ c"), "            \n    c");
}

}  // namespace
}  // namespace gpuharden::test
