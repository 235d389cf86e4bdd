// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/kernel/dkms_conf.h"
#include "checks/kernel/kernel_cmdline.h"
#include "checks/kernel/module_name.h"
#include "checks/kernel/module_signature.h"
#include "checks/kernel/proc_modules.h"
#include "checks/kernel/sysctl_conf.h"
#include "checks/kernel/taint.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;

TEST(ModuleName, IsTheSameWithHyphenAndUnderscore) {
  EXPECT_EQ(normalize_module_name("usb-storage"), "usb_storage");
  EXPECT_EQ(normalize_module_name("pci:v[a-c]d-1"), "pci:v[a-c]d_1");
  EXPECT_EQ(module_name_of_file("/lib/modules/6.8/updates/dkms/nvidia-uvm.ko.zst"), "nvidia_uvm");
  EXPECT_EQ(module_name_of_file("kernel/x.ko.xz.bak"), "");
  EXPECT_EQ(module_name_of_file("Makefile"), "");
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (const auto& parameter : parse_kernel_cmdline(text)) {
    words.push_back(parameter.name + "|" + parameter.value.value_or("-") + (parameter.for_init ? "|init" : ""));
  }
  return words;
}

TEST(KernelCmdline, SplitsOutsideOfQuotes) {
  EXPECT_THAT(words_of("ro a=1 dyndbg=\"file x +p\" \"b=c d\"\n"),
              ElementsAre("ro|-", "a|1", "dyndbg|file x +p", "b|c d"));
}

TEST(KernelCmdline, LeavesWordsAfterTwoDashesToInit) {
  EXPECT_THAT(words_of("audit=1 -- audit=0"), ElementsAre("audit|1", "audit|0|init"));
}

TEST(KernelCmdline, KeepsEmptyValuesAndOddWords) {
  EXPECT_THAT(words_of("a= =b x==y"), ElementsAre("a|", "=b|-", "x|=y"));
}

TEST(Taint, NamesEachBit) {
  EXPECT_EQ(taint_letters(0), "");
  EXPECT_EQ(taint_letters(12289), "POE");
  EXPECT_EQ(taint_letters(std::uint64_t{1} << 40U), "?");
}

TEST(ProcModules, ReadsNamesUsersAndTaint) {
  std::vector<std::uint32_t> bad;
  const auto modules = parse_proc_modules(
      "nvidia 54239232 120 nvidia_uvm,nvidia_modeset, Live 0x0000000000000000 (POE)\n"
      "broken line\n"
      "uas 32768 - - Loading 0x0 (E+)\n",
      bad);
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules[0].used_by, "nvidia_uvm,nvidia_modeset");
  EXPECT_EQ(modules[0].taint, "POE");
  EXPECT_EQ(modules[1].references, std::nullopt);
  EXPECT_EQ(modules[1].taint, "E");
  EXPECT_THAT(bad, ElementsAre(2U));
}

TEST(ModuleSignature, IsFoundAtTheEnd) {
  const auto found = find_module_signature(read_source("tests/data/kernel/modules/signed.ko"));
  ASSERT_TRUE(found && *found);
  EXPECT_GT((*found)->size, 300U);
}

TEST(ModuleSignature, IsNotThereInAnUnsignedModule) {
  const auto found = find_module_signature(read_source("tests/data/kernel/modules/tiny.ko"));
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
}

TEST(ModuleSignature, IsMalformedWhenItDoesNotFit) {
  EXPECT_FALSE(find_module_signature("~Module signature appended~\n"));
  EXPECT_FALSE(find_module_signature(std::string("\0\0\2\0\0\0\0\0\0\0\1\0~Module signature appended~\n", 40)));
}

TEST(SysctlConf, AcceptsBothSeparators) {
  EXPECT_EQ(sysctl_path("kernel.kptr_restrict"), "kernel/kptr_restrict");
  EXPECT_EQ(sysctl_path("net/ipv4/conf/eth0.1/forwarding"), "net/ipv4/conf/eth0.1/forwarding");
  EXPECT_EQ(sysctl_path("net.ipv4.conf.eth0/1.forwarding"), "net/ipv4/conf/eth0.1/forwarding");
  EXPECT_EQ(sysctl_key("net/ipv4/conf/eth0.1/forwarding"), "net.ipv4.conf.eth0/1.forwarding");
}

TEST(SysctlConf, ReadsAssignmentsExclusionsAndComments) {
  std::vector<std::uint32_t> bad;
  const auto lines = parse_sysctl_conf("# x\n; y\n a.b=1\n-c/d = 2 3 \n-net.*.lo\nnonsense\n", bad);
  EXPECT_THAT(lines, ElementsAre(SysctlLine{"a/b", "1", 3, false}, SysctlLine{"c/d", "2 3", 4, false},
                                 SysctlLine{"net/*/lo", "", 5, true}));
  EXPECT_THAT(bad, ElementsAre(6U));
}

TEST(DkmsConf, ReadsAssignmentsAsText) {
  const auto conf = parse_dkms_conf(
      "PACKAGE_NAME=\"nvidia\"  # comment\nBUILT_MODULE_NAME[0]='nvidia-uvm'\nAUTOINSTALL=yes\n"
      "MAKE[0]=\"make \\\n  KERNEL=${kernelver}\"\nif true; then\nPOST_INSTALL=run.sh\n");
  EXPECT_EQ(conf.find("PACKAGE_NAME")->value, "nvidia");
  EXPECT_EQ(conf.find("BUILT_MODULE_NAME")->value, "nvidia-uvm");
  EXPECT_EQ(conf.find("MAKE")->value, "make   KERNEL=${kernelver}");
  EXPECT_TRUE(conf.find("MAKE")->is_computed);
  EXPECT_EQ(conf.find("POST_INSTALL")->line, 7U);
  EXPECT_THAT(conf.code_lines, ElementsAre(6U));
}

TEST(DkmsConf, ToleratesAnUnclosedQuote) { EXPECT_EQ(parse_dkms_conf("A=\"b\nc").find("A")->value, "b\nc"); }

}  // namespace
}  // namespace gpuharden::test
