// SPDX-License-Identifier: GPL-2.0-or-later
// Message digests, by nettle.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gpuharden {

// Raw 32 bytes.
std::string sha256(std::string_view bytes);

// The same over bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();
  void update(std::string_view bytes);
  // Raw 32 bytes; the object begins anew.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Raw 20 bytes. Only for formats that prescribe SHA-1, as OpenPGP version 4 fingerprints do.
std::string sha1(std::string_view bytes);

// Lower-case hexadecimal SHA-256 over the parts; each part is preceded by its length, so that
// ("ab","c") and ("a","bc") differ.
std::string digest_of(std::initializer_list<std::string_view> parts);

}  // namespace gpuharden
