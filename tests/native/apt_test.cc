// SPDX-License-Identifier: GPL-2.0-or-later
// Our reading of package sources, held against libapt-pkg's own.
#include "engine/native/apt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "checks/apt/repository.h"
#include "checks/apt/source_options.h"
#include "checks/apt/sources.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

// One repository, as both sides can tell it.
struct Facts {
  std::set<std::string> types, components;
  std::string signed_by;
  std::string trusted = "-";
  bool operator==(const Facts&) const = default;
};
void PrintTo(const Facts& facts, std::ostream* out) {
  *out << "{" << testing::PrintToString(facts.types) << testing::PrintToString(facts.components)
       << " signed-by=" << facts.signed_by << " trusted=" << facts.trusted << "}";
}
using Reading = std::map<std::string, Facts>;  // by Repository::key

std::string with_architecture(std::string text) {
  constexpr std::string_view kVariable = "$(ARCH)";
  for (auto at = text.find(kVariable); at != std::string::npos; at = text.find(kVariable))
    text.replace(at, kVariable.size(), "amd64");
  return text;
}

std::string word(const std::optional<bool>& value) { return !value ? "-" : *value ? "yes" : "no"; }

Reading reading_of(const AptReading& library) {
  Reading out;
  for (const auto& repository : library.repositories) {
    Facts& facts = out[parse_repository(repository.uri, repository.suite).key];
    facts.types.insert(repository.types.begin(), repository.types.end());
    facts.components.insert(repository.components.begin(), repository.components.end());
    facts.signed_by = trim(repository.signed_by);
    facts.trusted = word(repository.trusted);
  }
  return out;
}

Reading reading_of(const AptSources& sources) {
  Reading out;
  for (const auto& source : sources.sources) {
    if (!source.entry->enabled || source.entry->types.empty()) continue;
    Facts& facts = out[parse_repository(with_architecture(source.repository.uri), with_architecture(source.suite)).key];
    facts.types.insert(source.entry->types.begin(), source.entry->types.end());
    facts.components.insert(source.entry->components.begin(), source.entry->components.end());
    if (!source.trust->signed_by.normalised.empty()) facts.signed_by = trim(source.trust->signed_by.normalised);
    facts.trusted = word(source_switch(source.entry->options, "trusted"));
  }
  return out;
}

bool is_older_library(std::string_view version) {
  return compare_versions(VersionScheme::kDpkg, apt_library_version(), version).value_or(0) < 0;
}

// What this version of the library refuses.
bool is_refused(const AptSources& sources) {
  return std::any_of(sources.sources.begin(), sources.sources.end(), [](const Source& source) {
    const auto& since = source.conflict.accepted_since;
    const bool is_conflict = !source.conflict.refused.empty() && (since.empty() || is_older_library(since));
    return !source.entry->unusable.empty() || is_conflict;
  });
}

// Entries that contradict each other and are accepted all the same: newer versions differ in which one counts.
bool has_conflict(const AptSources& sources) {
  return std::any_of(sources.sources.begin(), sources.sources.end(),
                     [](const Source& source) { return !source.conflict.refused.empty(); });
}

void expect_same_reading(const Capture& capture) {
  const auto host = capture.open_image();
  SharedFacts shared;
  const auto& ours = apt_sources_of(shared, *host);
  const auto library = read_sources(capture.root());
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->accepted, !is_refused(ours)) << join(library->errors, "\n");
  if (!library->accepted || has_conflict(ours)) return;
  EXPECT_EQ(reading_of(ours), reading_of(*library));
}

struct Input {
  const char* name;
  const char* file;
  std::string text;
};
void PrintTo(const Input& input, std::ostream* out) { *out << input.file << ": " << escape_for_terminal(input.text); }

class AptAgreement : public testing::TestWithParam<Input> {};

TEST_P(AptAgreement, ReadsAsTheLibraryReads) {
  const bool aborts = std::string_view(GetParam().name) == "EmptySuite" && !is_older_library("3.0");
  if (aborts) GTEST_SKIP() << "libapt-pkg 3.0 itself aborts on an empty suite";
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n").file("/var/lib/dpkg/status", "").folder("/etc/apt/apt.conf.d");
  capture.file(concat({"/etc/apt/sources.list.d/", GetParam().file}), GetParam().text);
  expect_same_reading(capture);
}

std::string name_of(const testing::TestParamInfo<Input>& info) { return info.param.name; }

const Input kLines[] = {
    {"Truths", "a.list",
     "deb [trusted=YES] http://x/1 ./\ndeb [trusted=with] http://x/2 ./\ndeb [trusted=0x1] http://x/3 ./\n"
     "deb [trusted=+1] http://x/4 ./\ndeb [trusted=y] http://x/5 ./\ndeb [trusted=2] http://x/6 ./\n"
     "deb [Trusted=yes] http://x/7 ./\ndeb [trusted=yes,no] http://x/8 ./\ndeb [trusted=01] http://x/9 ./\n"},
    {"LastOptionWins", "a.list",
     "deb [trusted=no trusted=yes] http://x/1 ./\ndeb [trusted=yes trusted=no] http://x/2 ./\n"},
    {"QuotesAndCodes", "a.list",
     "deb [ arch+=i386 arch-=armhf ] \"http://x/a b\" \"stable x\" main contrib # c\r\n\tdeb\thttp://x/%7e ./\n"},
    {"QuotedKeyring", "a.list", "deb [signed-by=\"/a b.gpg\"] http://x/y stable main\n"},
    {"NoValue", "a.list", "deb [trusted= yes] http://x/b ./\n"},
    {"EmptyValue", "a.list", "deb [signed-by=] http://x/a ./\n"},
    {"NoBlankBehindBracket", "a.list", "deb [trusted=yes]http://x/a ./\n"},
    {"BlanksInBrackets", "a.list", "deb [ trusted=yes  arch=amd64 ]   http://x/a   ./  \n"},
    {"KeyringOrder", "a.list",
     "deb [signed-by=/a.gpg,/b.gpg] http://u:p@x/a ./\ndeb [signed-by=/b.gpg,/a.gpg] https://x/a ./\n"},
    {"TrustedThenNot", "a.list", "deb [trusted=yes] http://x/a ./\ndeb http://x/a ./\n"},
    {"NotThenTrusted", "a.list", "deb http://x/a ./\ndeb [trusted=yes] http://x/a ./\n"},
    {"TrustedTwice", "a.list", "deb [trusted=1] http://x/a ./\ndeb-src [trusted=on] http://x/a ./\n"},
    {"NoFingerprint", "a.list", "deb [signed-by=zzz] http://x/a ./\n"},
    {"RelativeKeyring", "a.list", "deb [signed-by=rel/path.gpg] http://x/b ./\n"},
    {"Fingerprint", "a.list", "deb [signed-by=0123456789abcdef0123456789ABCDEF01234567!,/k.gpg] http://x/a ./\n"},
    {"ShortFingerprint", "a.list", "deb [signed-by=ABCDEF0123456789] http://x/b ./\n"},
    {"NoComponent", "a.list", "deb http://x/a stable\n"},
    {"ComponentOfAPath", "a.list", "deb http://x/a /  main\n"},
    {"UnknownType", "a.list", "debx http://x/a ./\n"},
    {"UpperCaseType", "a.list", "DEB http://x/y /\n"},
    {"ColonInName", "a:b.list", "deb http://x/a:b ./\n"},
    {"BlankInName", "a b.list", "deb http://x/a ./\n"},
    {"BackupName", "a.list~", "deb http://x/a ./\n"},
    {"SaveName", "a.list.save", "deb http://x/a ./\n"},
    {"HiddenName", ".h.list", "deb http://x/a ./\n"},
    {"UpperCaseName", "a.LIST", "deb http://x/a ./\n"},
    {"PathsThatMeet", "a.list",
     "deb [trusted=yes] http://x/a/ ./\ndeb [trusted=yes signed-by=/k.gpg] http://x/a/. /\n"},
    {"Nul", "a.list", std::string("deb http://x/a ./ ") + '\0' + " junk\ndeb http://x/b ./\n"},
    {"NoUri", "a.list", "deb [a=b] \n"},
    {"NestedBrackets", "a.list", "deb [arch=amd64 [trusted=yes]] http://x/a ./\n"},
    {"CommentInBrackets", "a.list", "deb [arch=amd64 #trusted=yes ] http://x/a ./\n"},
    {"BracketInComment", "a.list", "deb [arch=amd64] http://x/a ./ # [x\n# deb [trusted=yes] http://x/b ./\n"},
    {"NoScheme", "a.list", "deb noturi ./\n"},
    {"Architecture", "a.list", "deb [trusted=no] http://x/a $(ARCH)/\n"},
    {"NoAssignment", "a.list", "deb [abc] http://x/a ./\n"},
    {"PlusIsAnotherOption", "a.list", "deb [trusted+=yes] http://x/a ./\ndeb [signed-by+=/k.gpg] http://x/b ./\n"},
    {"VerticalTab", "a.list", "deb \v[trusted=yes] http://x/c ./"},
    {"SuiteAndPathMeet", "a.list", "deb [signed-by=/k.gpg] http://x/y/dists/stable/ /\ndeb http://x/y stable main\n"},
    {"UnscopedThenScoped", "a.list",
     "deb http://x/y stable main\ndeb [signed-by=/k.gpg] https://x/y/ stable contrib\n"},
    {"ScopedThenUnscoped", "a.list",
     "deb [signed-by=/k.gpg] https://x/y/ stable contrib\ndeb http://x/y stable main\n"},
    {"ValidUntil", "a.list",
     "deb [signed-by=/k.gpg check-valid-until=no] http://x/y /\ndeb [signed-by=/k.gpg] http://x/y /\n"},
    {"AllowInsecure", "a.list", "deb [allow-insecure=yes] http://x/a ./\ndeb http://x/a ./\n"},
    {"ReleasePath", "a.list", "deb [inrelease-path=x] http://x/a ./\ndeb http://x/a ./\n"},
    {"ByHash", "a.list", "deb [by-hash=yes] http://x/a ./\ndeb http://x/a ./\n"},
    {"OpenQuote", "a.list", "deb [signed-by=\"/a.gpg\n"},
    {"DifferentHosts", "a.list",
     "deb [signed-by=/a.gpg] http://x//y /\ndeb http://x/y /\ndeb http://X/y /\ndeb http://x:80/y /\n"},
    {"TrailingComma", "a.list", "deb [signed-by=/k.gpg,] http://x/a ./\ndeb [signed-by=/k.gpg] http://x/a ./\n"},
    {"FileAndCopy", "a.list", "deb file:/a ./\ndeb [signed-by=/k.gpg] copy:///a ./\n"},
    {"EmptySuite", "a.list", "deb http://x \"\" main\n"},
    {"Binary", "a.list",
     std::string("\x7f"
                 "ELF\0\1\2\n\xff\xfe\n",
                 11)},
};
INSTANTIATE_TEST_SUITE_P(Lines, AptAgreement, testing::ValuesIn(kLines), name_of);

const Input kStanzas[] = {
    {"NotReallyDisabled", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./\nEnabled: nope\n"},
    {"BlankIsNoEmptyLine", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: ./\nTrusted: yes\n \nTypes: deb\nURIs: http://x/b\nSuites: ./\n"},
    {"TabIsNoEmptyLine", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./\n\t\nTrusted: yes\n"},
    {"CarriageReturns", "a.sources",
     "Types: deb\r\nURIs: http://x/a\r\nSuites: ./\r\n\r\nTypes: deb\r\nURIs: http://x/b\r\nSuites: ./\r\n"},
    {"OneCarriageReturn", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: ./\nTrusted: yes\n\r\nTypes: deb\nURIs: http://x/b\nSuites: ./\n"},
    {"NoColon", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./\nnocolonline\nTrusted: yes\n"},
    {"NoColonBeforeEmptyLine", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: ./\nnocolon\n\nTypes: deb\nURIs: http://x/b\nSuites: ./\n"},
    {"NoColonFirst", "a.sources", "nocolon\n\nTypes: deb\nURIs: http://x/b\nSuites: ./\n"},
    {"NoColonLast", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./\nnocolon"},
    {"NoTypes", "a.sources", "URIs: http://x/a\nSuites: ./\n"},
    {"EmptyTypes", "a.sources", "Types:\nURIs: http://x/a\nSuites: ./\n"},
    {"CommaInUris", "a.sources", "Types: deb\nURIs: http://x/a,http://x/b\nSuites: ./\n"},
    {"Folded", "a.sources",
     "Types: deb\nURIs: http://x/a\n http://x/b\nSuites: ./\nSigned-By: /a.gpg /b.gpg\n /c.gpg\nTrusted: \n"},
    {"FoldedSwitch", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./\nTrusted:\n yes\nSigned-By:\n"},
    {"NoComponents", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: stable\n"},
    {"ComponentsOfAPath", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./ \nComponents: main\n"},
    {"DisabledUnknownType", "a.sources", "Types: debx\nURIs: http://x/a\nSuites: ./\nEnabled: no\n"},
    {"DisabledNonsense", "a.sources", "Enabled: no\nTypes: deb\nURIs: noturi\nSuites: x\n"},
    {"Repeats", "a.sources", "Types: deb\nTypes: deb-src\nURIs: http://x/a\nSuites: ./\nTrusted: yes\nTrusted: no\n"},
    {"NoUris", "a.sources", "Types: deb\nSuites: ./\n"},
    {"NoSuites", "a.sources", "Types: deb\nURIs: http://x/a\n"},
    {"CommentsAround", "a.sources", "\n\n# c\n\nTypes: deb\nURIs: http://x/a\nSuites: ./\n\n\n\n# trailing\n"},
    {"CommentsBetween", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: noble\n# noble-proposed\n noble-updates\nComponents: main\n"},
    {"NoScheme", "a.sources", "Types: deb\nURIs: noturi\nSuites: ./\n"},
    {"NoCodes", "a.sources", "Types: deb\nURIs: http://x/a%20b\nSuites: ./\n"},
    {"NoQuotes", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: \"./\"\n"},
    {"BlankFirst", "a.sources", " Types: deb\nURIs: http://x/a\nSuites: ./\n"},
    {"BlankBeforeColon", "a.sources", "Types : deb\nURIs: http://x/a\nSuites: ./\nSigned-by : /k.gpg\n"},
    {"LowerCase", "a.sources", "types: deb\nuris: http://x/a\nsuites: ./\ntrusted: On\n"},
    {"Inline", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: ./\nSigned-By: -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n abc\n"},
    {"TextBeforeInline", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: ./\nSigned-By: abc\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n"},
    {"IndentedField", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./\n Trusted: yes\n"},
    {"Comments", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: ./\nTrusted: yes\n#x\n\n#y\nEnabled: no\nTypes: deb\nURIs: "
     "http://x/b\nSuites: ./\n"},
    {"MixedSignedBy", "a.sources",
     "Types: deb\nURIs: http://x/a\nSuites: ./\nSigned-By: 0123456789abcdef0123456789ABCDEF01234567 /k.gpg\n"},
    {"NoKey", "a.sources", "Types: deb\nURIs: http://x/a\nSuites: ./\nSigned-By: zzz\n"},
    {"ManyOfAll", "a.sources",
     "Types: deb deb-src\nURIs: http://x/a http://x/b\nSuites: one two\nComponents: main extra\nSigned-By: /k.gpg\n"},
    {"Nul", "a.sources", std::string("Types: deb\nURIs: http://x/a\nSuites: ./\nTrusted: yes") + '\0' + " no\n"},
    {"Empty", "a.sources", ""},
};
INSTANTIATE_TEST_SUITE_P(Stanzas, AptAgreement, testing::ValuesIn(kStanzas), name_of);

TEST(AptAgreement, HoldsForTheCaseCollection) {
  for (const auto* tree : {"c01", "c02", "c04", "c05", "c06", "c09", "c10", "c12", "c13", "c16", "c17", "c137"}) {
    SCOPED_TRACE(tree);
    Capture capture;
    capture.tree(concat({"tests/data/apt/", tree}));
    capture.file("/etc/debian_version", "12\n").folder("/etc/apt/apt.conf.d").folder("/usr").folder("/var/lib/dpkg");
    if (std::string_view(tree) != "c17") capture.file("/var/lib/dpkg/status", "");
    expect_same_reading(capture);
  }
}

// A folder's files are read in the order of their names, after sources.list.
TEST(AptAgreement, ReadOrderDecides) {
  for (const auto* scoped : {"/etc/apt/sources.list", "/etc/apt/sources.list.d/Z.list"}) {
    Capture capture;
    capture.file("/etc/os-release", "ID=debian\n").file("/var/lib/dpkg/status", "").folder("/etc/apt/apt.conf.d");
    capture.file(scoped, "deb [signed-by=/k.gpg] http://x/y stable main\n");
    capture.file("/etc/apt/sources.list.d/a.sources",
                 "Types: deb\nURIs: http://x/y\nSuites: stable\nComponents: main\n");
    expect_same_reading(capture);
  }
}

}  // namespace
}  // namespace gpuharden::test
