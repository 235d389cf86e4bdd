// SPDX-License-Identifier: GPL-2.0-or-later
// Where this machine gets its packages from, and what stands between them and a stranger.
#include "checks/apt/apt_settings.h"
#include "checks/apt/package_lists.h"
#include "checks/apt/source_vendor.h"
#include "checks/apt/sources.h"
#include "checks/system/if_any.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "engine/host/path_trust.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "/etc/apt/sources.list or a file of /etc/apt/sources.list.d that apt reads",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "where the entry begins, from 1", ColumnFlag::kNotNull},
    {"format", ColumnType::kText, "one-line (.list) or deb822 (.sources)", ColumnFlag::kNotNull},
    {"entry", ColumnType::kText, "SHA-256 of the entry's text: stays when lines move", ColumnFlag::kNotNull},
    {"enabled", ColumnType::kBoolean, "0 for a stanza with Enabled: no; lines that are commented out have no row",
     ColumnFlag::kNotNull},
    {"type", ColumnType::kText, "deb, deb-src, or both with a blank between; empty when refused before it was read",
     ColumnFlag::kNotNull},
    {"uri", ColumnType::kText, "as written, without user and password; empty when the entry has none",
     ColumnFlag::kNotNull},
    {"has_credentials", ColumnType::kBoolean, "the URI names a user or password (removed here)", ColumnFlag::kNotNull},
    {"scheme", ColumnType::kText,
     "the network transport in lower case: tor+http is http, mirror is http, mirror+file is file",
     ColumnFlag::kNotNull},
    {"plain_http", ColumnType::kBoolean, "fetched over a network without TLS (http, ftp, rsh)", ColumnFlag::kNotNull},
    {"local", ColumnType::kBoolean, "a folder of this machine: file: or copy:", ColumnFlag::kNotNull},
    {"host", ColumnType::kText, "of the URI, lower case, without port; empty for local ones", ColumnFlag::kNotNull},
    {"repository", ColumnType::kText,
     "what apt takes for one repository: host, path and suite, without the transport; entries with the same value must "
     "agree",
     ColumnFlag::kNotNull},
    {"suite", ColumnType::kText, "noble-security, or a path that ends in '/'", ColumnFlag::kNotNull},
    {"components", ColumnType::kText, "blank-separated; empty for a flat repository", ColumnFlag::kNotNull},
    {"signed_by", ColumnType::kText,
     "Signed-By: paths and fingerprints with commas between, or the word inline; empty when there is none",
     ColumnFlag::kNotNull},
    {"signed_by_kind", ColumnType::kText,
     "none, keyring (a path is named), fingerprint (only keys of the global keyrings), inline", ColumnFlag::kNotNull},
    {"signed_by_file", ColumnType::kPath, "the first keyring that Signed-By names; NULL when none"},
    {"inline_fingerprints", ColumnType::kText,
     "fingerprints that Signed-By names, upper case, with commas between; NULL when none"},
    {"trusted", ColumnType::kBoolean,
     "1: packages are installed without any signature; 0: never trusted; NULL: not set. As apt reads the value"},
    {"allow_insecure", ColumnType::kBoolean, "unsigned metadata is accepted; NULL: not set"},
    {"allow_weak", ColumnType::kBoolean, "weak digests are accepted; NULL: not set"},
    {"allow_downgrade", ColumnType::kBoolean,
     "Allow-Downgrade-To-Insecure: signed metadata may turn unsigned; NULL: not set"},
    {"check_valid_until", ColumnType::kBoolean, "0: stale metadata is accepted; NULL: not set"},
    {"options", ColumnType::kText,
     "the options that apt honours, name=value with blanks between; an inline key is shown as the word inline",
     ColumnFlag::kNotNull},
    {"vendor", ColumnType::kText,
     "nvidia or amd: by host, by the path that the vendor's layout has on mirrors too, or by Origin and Label of the "
     "Release file; NULL for others"},
    {"vendor_host", ColumnType::kBoolean, "the host is run by the vendor itself, so its own keys are expected",
     ColumnFlag::kNotNull},
    {"gpu_packages", ColumnType::kInteger,
     "GPU driver, runtime and library packages in its Packages files of /var/lib/apt/lists; NULL when nothing was "
     "fetched, and not counted for Debian, Ubuntu and sources with a vendor"},
    {"release_origin", ColumnType::kText, "Origin of the Release file in /var/lib/apt/lists; NULL when there is none"},
    {"release_label", ColumnType::kText, "Label of the Release file; NULL when there is none"},
    {"stanza_repeats", ColumnType::kText,
     "fields that occur more than once in the stanza: the last one counts; NULL when none"},
    {"misspelled_options", ColumnType::kText,
     "options that look like security switches and are none, or have a value that apt takes for \"no\"; NULL when "
     "none"},
    {"unusable", ColumnType::kText, "why apt refuses the entry, and with it every source; NULL when it does not"},
    {"conflict", ColumnType::kText,
     "why apt refuses every source: an earlier entry names the same repository with other settings; NULL when not"},
    {"conflict_until", ColumnType::kVersion,
     "version of apt from which on the conflict is accepted; NULL where there is none, or every apt refuses it"},
    {"overlap", ColumnType::kText,
     "an earlier entry names the same repository without Signed-By, which apt accepts; NULL when not"},
    {"changeable_by", ColumnType::kText,
     "who else than root can change the folder of a local repository, with the reason; NULL when nobody or not local"},
};

constexpr std::size_t kPackagesCap = std::size_t{32} << 20U;

std::string options_text(const SourceEntry& entry) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : entry.options) {
    const bool is_inline = name == "signed-by" && parse_signed_by(value).kind == SignedByKind::kInline;
    parts.push_back(concat({name, "=", is_inline ? "inline" : std::string_view(value)}));
  }
  return join(parts, " ");
}

// A stanza of megabytes makes many rows: what is only shown is cut.
std::string_view bounded(std::string_view text) { return text.substr(0, 4096); }

// What is the same in all rows of an entry, made once.
struct EntryWords {
  const SourceEntry* entry = nullptr;
  std::string digest, types, components, options, repeated, misspelled, fingerprints;
};

EntryWords words_of(const Source& source) {
  const SourceEntry& entry = *source.entry;
  const auto shown = [](std::string text) { return std::string(bounded(text)); };
  return {&entry,
          digest_of({entry.text}),
          shown(join(entry.types, " ")),
          shown(join(entry.components, " ")),
          shown(options_text(entry)),
          shown(join(entry.repeated, ", ")),
          shown(join(entry.misspelled, "; ")),
          shown(join(source.trust->signed_by.fingerprints, ","))};
}

// The nearest folder that exists: who can write there can make what is missing.
Result<std::optional<std::string>> local_writer(const Files& files, std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  for (;;) {
    auto found = changeable_by_others(files, path.empty() ? "/" : path);
    if (found || found.error().code != ErrorCode::kNotFound || path.size() <= 1) return found;
    path.resize(std::max<std::size_t>(path.rfind('/'), 1));
  }
}

void set_local(TableReader& out, const Source& source, Row& row) {
  if (!source.repository.is_local || !out.wants("changeable_by")) return;
  if (source.repository.path.empty() || source.repository.path[0] != '/') return;
  const auto writer = local_writer(out.files(), source.repository.path);
  if (!writer) {
    row.unread("changeable_by", writer.error());
  } else {
    row.set("changeable_by", *writer);
  }
}

bool is_distribution(const Source& source) {
  const auto origin = source.release.origin.value_or("");
  return origin == "Debian" || origin == "Ubuntu";
}

Result<std::int64_t> count_packages(const Files& files, const Source& source) {
  std::int64_t count = 0;
  for (const auto& path : source.package_lists) {
    if (path.substr(path.size() - 8) != "Packages")
      return Error{ErrorCode::kUnsupported, concat({path, ": compressed, its packages were not counted"})};
    GH_ASSIGN_OR_RETURN(const FileBytes file, files.read(path, kPackagesCap));
    if (file.truncated)
      return Error{ErrorCode::kTooLarge, concat({path, ": too large, its packages were not counted"})};
    count += static_cast<std::int64_t>(count_gpu_packages(file.bytes));
  }
  return count;
}

void set_release(TableReader& out, const Source& source, Row& row) {
  if (source.release_error) {
    for (const auto* column : {"release_origin", "release_label", "gpu_packages"})
      row.unread(column, *source.release_error);
    if (source.vendor.empty()) row.unread("vendor", *source.release_error);
    return;
  }
  row.set("release_origin", source.release.origin).set("release_label", source.release.label);
  if (!source.vendor.empty() || source.package_lists.empty() || is_distribution(source) || !out.wants("gpu_packages"))
    return;
  const auto count = count_packages(out.files(), source);
  if (!count) {
    row.unread("gpu_packages", count.error());
  } else {
    row.set("gpu_packages", *count);
  }
}

void set_trust(const Source& source, Row& row) {
  const auto& options = source.entry->options;
  const auto& signed_by = source.trust->signed_by;
  row.set("signed_by", signed_by.kind == SignedByKind::kInline ? "inline" : bounded(signed_by.normalised))
      .set("signed_by_kind", to_string(signed_by.kind))
      .set("trusted", source_switch(options, "trusted"))
      .set("allow_insecure", source_switch(options, "allow-insecure"))
      .set("allow_weak", source_switch(options, "allow-weak"))
      .set("allow_downgrade", source_switch(options, "allow-downgrade-to-insecure"))
      .set("check_valid_until", source_switch(options, "check-valid-until"));
  if (!signed_by.keyrings.empty()) row.set("signed_by_file", signed_by.keyrings[0]);
}

void add_row(TableReader& out, const Source& source, const EntryWords& words) {
  const auto& entry = *source.entry;
  const auto& repository = source.repository;
  Row row = out.row();
  row.set("file", source.file->path)
      .set("line", entry.line)
      .set("format", source.file->format == SourceFormat::kDeb822 ? "deb822" : "one-line")
      .set("entry", words.digest)
      .set("enabled", entry.enabled)
      .set("type", words.types)
      .set("uri", repository.uri)
      .set("has_credentials", repository.has_credentials)
      .set("scheme", repository.scheme)
      .set("plain_http", repository.is_plain)
      .set("local", repository.is_local)
      .set("host", repository.host)
      .set("repository", repository.key)
      .set("suite", source.suite)
      .set("components", words.components)
      .set("options", words.options)
      .set("vendor", if_any(source.vendor))
      .set("vendor_host", is_vendor_host(repository.host))
      .set("inline_fingerprints", if_any(words.fingerprints))
      .set("stanza_repeats", if_any(words.repeated))
      .set("misspelled_options", if_any(words.misspelled))
      .set("unusable", if_any(entry.unusable))
      .set("conflict", if_any(source.conflict.refused))
      .set("conflict_until", if_any(source.conflict.accepted_since))
      .set("overlap", if_any(source.conflict.accepted));
  set_trust(source, row);
  set_release(out, source, row);
  set_local(out, source, row);
}

void read_apt_sources(TableReader& out) {
  const auto& sources = apt_sources_of(out.shared(), out.host());
  for (const auto& gap : sources.gaps) out.gap(gap.file, "*", gap.error);
  for (const auto& sentence : redirections(apt_settings_of(out.shared(), out.host()).settings)) {
    out.gap({ErrorCode::kUnsupported, sentence});
  }
  EntryWords words;
  for (const auto& source : sources.sources) {
    if (words.entry != source.entry) words = words_of(source);
    add_row(out, source, words);
  }
}

}  // namespace

Probe apt_sources_probe() {
  return {{"apt_sources",
           "Every source of packages, from sources.list(5) files: one row for each URI and suite of an entry, as apt "
           "reads it.",
           kColumns},
          &read_apt_sources};
}

}  // namespace gpuharden
