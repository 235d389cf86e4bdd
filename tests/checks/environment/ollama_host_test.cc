// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/ollama_host.h"

#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {

struct Example {
  const char* value;
  const char* host;
  int port;
  Exposure exposure;
};

TEST(OllamaHost, ReadsTheGrammarAsOllamaDoes) {
  const Example examples[] = {
      {"", "127.0.0.1", 11434, Exposure::kLoopback},
      {"  \"0.0.0.0\"  ", "0.0.0.0", 11434, Exposure::kAll},
      {"0.0.0.0:8080", "0.0.0.0", 8080, Exposure::kAll},
      {":1234", "", 1234, Exposure::kAll},
      {":-1", "", 11434, Exposure::kAll},
      {":66000", "", 11434, Exposure::kAll},
      {"1.2.3.4:abc", "1.2.3.4", 11434, Exposure::kSpecific},
      {"127.0.0.1", "127.0.0.1", 11434, Exposure::kLoopback},
      {"127.8.9.1:1", "127.8.9.1", 1, Exposure::kLoopback},
      {"localhost", "localhost", 11434, Exposure::kLoopback},
      {"localhost:99", "localhost", 99, Exposure::kLoopback},
      {"[::]", "::", 11434, Exposure::kAll},
      {"::", "::", 11434, Exposure::kAll},
      {"::1", "::1", 11434, Exposure::kLoopback},
      {"[::1]:5", "::1", 5, Exposure::kLoopback},
      {"[::]:5", "::", 5, Exposure::kAll},
      {"::ffff:127.0.0.1", "::ffff:127.0.0.1", 11434, Exposure::kLoopback},
      {"2001:db8::1", "2001:db8::1", 11434, Exposure::kSpecific},
      {"http://0.0.0.0", "0.0.0.0", 80, Exposure::kAll},
      {"https://10.1.1.1/path", "10.1.1.1", 443, Exposure::kSpecific},
      {"tcp://127.0.0.1", "127.0.0.1", 11434, Exposure::kLoopback},
      {"http://127.0.0.1:11434/x/y", "127.0.0.1", 11434, Exposure::kLoopback},
      {"gpu-07", "gpu-07", 11434, Exposure::kUnresolved},
      {"gpu-07.example:80", "gpu-07.example", 80, Exposure::kUnresolved},
      {"a:b:c", "a:b:c", 11434, Exposure::kUnresolved},
      {"0.0.0.0 # lan", "0.0.0.0 # lan", 11434, Exposure::kUnresolved},
      {"'", "127.0.0.1", 11434, Exposure::kLoopback},
      {"127.0.0.1:0", "127.0.0.1", 0, Exposure::kLoopback},
      {"fe80::1%eth0", "fe80::1%eth0", 11434, Exposure::kSpecific},
  };
  for (const auto& example : examples) {
    const auto address = parse_ollama_host(example.value);
    EXPECT_EQ(address.host, example.host) << example.value;
    EXPECT_EQ(address.port, example.port) << example.value;
    EXPECT_EQ(address.exposure, example.exposure) << example.value;
  }
}

}  // namespace
}  // namespace gpuharden::test
