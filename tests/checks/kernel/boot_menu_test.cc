// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/kernel/grub_config.h"
#include "checks/kernel/loader_entry.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;

constexpr auto* kGrub = R"(if [ "${next_entry}" ] ; then
   set default="${next_entry}"
else
   set default="0"
fi
set vt_handoff=vt.handoff=7
function load_video {
  insmod all_video
}
menuentry 'Ubuntu' --class ubuntu $menuentry_id_option 'simple' {
	load_video
	linux	/boot/vmlinuz-6.8.0-50-generic root=UUID=1 ro "a b" $vt_handoff $other
	initrd	/boot/amd-ucode.img /boot/initrd.img-6.8.0-50-generic
}
submenu 'Advanced options' $menuentry_id_option 'advanced' {
	menuentry 'Ubuntu, with Linux 6.8.0-45' $menuentry_id_option 'old' {
		linux /boot/vmlinuz-6.8.0-45-generic ro module.sig_enforce=1
	}
}
)";

TEST(GrubConfig, FindsEntriesInSubmenus) {
  const auto grub = parse_grub_config(kGrub);
  ASSERT_EQ(grub.items.size(), 3U);
  EXPECT_EQ(grub.items[0].entry.place, "0");
  EXPECT_EQ(grub.items[0].entry.release, "6.8.0-50-generic");
  EXPECT_EQ(grub.items[0].entry.initrd, "/boot/initrd.img-6.8.0-50-generic");
  EXPECT_TRUE(grub.items[1].is_submenu);
  EXPECT_EQ(grub.items[2].entry.place, "1>0");
  EXPECT_EQ(grub.items[2].entry.line, 16U);
}

TEST(GrubConfig, PutsInTheVariablesItKnows) {
  const auto grub = parse_grub_config(kGrub);
  EXPECT_EQ(grub.items[0].entry.cmdline, "root=UUID=1 ro \"a b\" vt.handoff=7 ");
  EXPECT_THAT(grub.items[0].entry.unresolved, ElementsAre("other"));
}

TEST(GrubConfig, FindsTheDefaultByPlaceTitleAndId) {
  const auto items = parse_grub_config(kGrub).items;
  EXPECT_EQ(find_grub_default(items, "0")->entry.id, "simple");
  EXPECT_EQ(find_grub_default(items, "1>0")->entry.id, "old");
  EXPECT_EQ(find_grub_default(items, "advanced>old")->entry.id, "old");
  EXPECT_EQ(find_grub_default(items, "Advanced options>Ubuntu, with Linux 6.8.0-45")->entry.id, "old");
  EXPECT_EQ(find_grub_default(items, "gone")->entry.id, "simple");
  EXPECT_EQ(find_grub_default(items, "1"), nullptr);
  EXPECT_EQ(find_grub_default({}, "0"), nullptr);
}

TEST(GrubConfig, BearsHostileText) {
  EXPECT_TRUE(parse_grub_config("}\n}\nlinux /x\nset default\nmenuentry\n").items.empty());
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "submenu 'x' {\n";
  EXPECT_LE(parse_grub_config(deep).items.size(), 16U);
  const auto bomb =
      "set a=" + std::string(5000, 'x') + "\nmenuentry x {\nlinux /v " + std::string(50000, '$') + "\n}\n";
  EXPECT_EQ(parse_grub_config(bomb).items.size(), 1U);
}

TEST(GrubEnvironment, HoldsLines) {
  const auto variables = parse_grub_environment("# GRUB Environment Block\nsaved_entry=a=b\n=x\n####");
  EXPECT_EQ(variables.size(), 1U);
  EXPECT_EQ(variables.at("saved_entry"), "a=b");
}

TEST(LoaderEntry, HoldsItsKernelAndOptions) {
  const auto entry = parse_loader_entry(
      "title Rocky\nversion 5.14.0-427.el9.x86_64\nlinux /vmlinuz-5.14.0-427.el9.x86_64\ninitrd /i.img\n"
      "options root=/dev/x $kernelopts\noptions audit=1\n",
      "abc-5.14.0-427.conf", {{"kernelopts", "ro quiet"}});
  EXPECT_EQ(entry.id, "abc-5.14.0-427");
  EXPECT_EQ(entry.cmdline, "root=/dev/x ro quiet audit=1");
  EXPECT_EQ(entry.release, "5.14.0-427.el9.x86_64");
}

TEST(LoaderEntry, TakesTheReleaseFromTheFolder) {
  EXPECT_EQ(release_of_kernel("/3f2a/6.1.0-18-amd64/linux"), "6.1.0-18-amd64");
  EXPECT_EQ(release_of_kernel("/vmlinuz"), "");
}

TEST(LoaderEntry, NewestComesFirst) {
  BootEntry a, b;
  a.id = "x-6.8.0-50";
  b.id = "x-6.8.0-9";
  EXPECT_TRUE(is_newer_entry(a, b));
  EXPECT_FALSE(is_newer_entry(b, a));
  EXPECT_FALSE(is_newer_entry(a, a));
}

TEST(LoaderEntry, ReadsTheLoadersVariables) {
  using namespace std::string_view_literals;
  EXPECT_EQ(parse_loader_variable("\x06\0\0\0a\0.\0\0\0z\0"sv), "a.");
  EXPECT_EQ(parse_loader_variable("\x06\0\0\0\xff\xff"sv), "");
  EXPECT_EQ(parse_loader_default("timeout 3\n# default x\ndefault  debian-*\n"), "debian-*");
}

TEST(BootEntriesProbe, KnowsWhatGrubStarts) {
  Capture capture;
  capture.file("/boot/grub/grub.cfg", kGrub).file("/boot/grub/grubenv", "next_entry=advanced>old\n");
  const auto table = read_table(*capture.open(), "boot_entries");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].at("is_default"), "1");
  EXPECT_EQ(table.rows[0].at("is_next"), "0");
  EXPECT_EQ(table.rows[1].at("is_next"), "1");
  EXPECT_EQ(table.rows[1].at("sig_enforce"), "1");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(BootEntriesProbe, DoesNotChooseBetweenTwoDefaults) {
  Capture capture;
  capture.file("/boot/grub/grub.cfg", "set default=0\nset default=1\nmenuentry a {\nlinux /vmlinuz-1\n}\n");
  EXPECT_EQ(read_table(*capture.open(), "boot_entries").rows[0].at("is_next"), "UNREAD");
}

TEST(BootEntriesProbe, KnowsWhatSystemdBootStarts) {
  Capture capture;
  capture.file("/boot/efi/loader/loader.conf", "default m-6.1*\n")
      .file("/boot/efi/loader/entries/m-6.1.0-18.conf", "linux /m/6.1.0-18/linux\noptions lockdown=integrity\n")
      .file("/boot/efi/loader/entries/m-6.5.0-1.conf", "linux /m/6.5.0-1/linux\n");
  const auto table = read_table(*capture.open(), "boot_entries");
  EXPECT_EQ(table.where("release", "6.1.0-18").at("is_next"), "1");
  EXPECT_EQ(table.where("release", "6.1.0-18").at("lockdown"), "integrity");
  EXPECT_EQ(table.where("release", "6.5.0-1").at("is_next"), "0");
}

TEST(BootEntriesProbe, SaysThatTheMenuCannotBeRead) {
  Capture capture;
  capture.file("/boot/grub/grub.cfg", kGrub).yaml("paths: {/boot/grub/grub.cfg: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "boot_entries").gap_words(), ElementsAre("* * permission"));
}

TEST(BootEntriesProbe, IsEmptyWithoutALoader) {
  Capture capture;
  capture.folder("/boot");
  const auto table = read_table(*capture.open(), "boot_entries");
  EXPECT_TRUE(table.rows.empty() && table.gaps.empty());
}

TEST(GrubDefaultsProbe, LetsLaterFilesUseEarlierOnes) {
  Capture capture;
  capture.file("/etc/default/grub", "GRUB_CMDLINE_LINUX=\"audit=1\"\n")
      .file("/etc/default/grub.d/50-x.cfg", "\nGRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX module.sig_enforce=1\"\n");
  const auto table = read_table(*capture.open(), "grub_defaults");
  EXPECT_EQ(table.where("name", "GRUB_CMDLINE_LINUX").at("value"), "audit=1 module.sig_enforce=1");
  EXPECT_EQ(table.rows[0].at("sig_enforce"), "1");
  EXPECT_EQ(table.rows[0].at("file"), "/etc/default/grub.d/50-x.cfg");
  EXPECT_EQ(table.rows[0].at("line"), "2");
}

TEST(GrubDefaultsProbe, DoesNotRunCommands) {
  Capture capture;
  capture.file("/etc/default/grub", "GRUB_CMDLINE_LINUX=$(cat /x)\n");
  EXPECT_THAT(read_table(*capture.open(), "grub_defaults").gap_words(),
              ElementsAre("GRUB_CMDLINE_LINUX * unsupported"));
}

TEST(RebootRequiredProbe, NamesEachPackageOnce) {
  Capture capture;
  capture.file("/run/reboot-required", "x")
      .file("/run/reboot-required.pkgs", "linux-base\nlinux-base\nlibc6\n")
      .yaml("now: 172800\npaths: {/run/reboot-required: {mtime: 0}}");
  const auto table = read_table(*capture.open(), "reboot_required");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].at("age_days"), "2");
}

}  // namespace
}  // namespace gpuharden::test
