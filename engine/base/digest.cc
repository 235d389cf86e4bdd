// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/digest.h"

#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include <cstdint>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

const std::uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

}  // namespace

std::string sha256(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), bytes_of(bytes));
  std::string digest(SHA256_DIGEST_SIZE, '\0');
  sha256_digest(&context, digest.size(), reinterpret_cast<std::uint8_t*>(digest.data()));
  return digest;
}

struct Sha256::State {
  sha256_ctx context{};
};

Sha256::Sha256() : state_(std::make_unique<State>()) { sha256_init(&state_->context); }

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) { sha256_update(&state_->context, bytes.size(), bytes_of(bytes)); }

std::string Sha256::finish() {
  std::string digest(SHA256_DIGEST_SIZE, '\0');
  sha256_digest(&state_->context, digest.size(), reinterpret_cast<std::uint8_t*>(digest.data()));
  return digest;
}

std::string sha1(std::string_view bytes) {
  sha1_ctx context;
  sha1_init(&context);
  sha1_update(&context, bytes.size(), bytes_of(bytes));
  std::string digest(SHA1_DIGEST_SIZE, '\0');
  sha1_digest(&context, digest.size(), reinterpret_cast<std::uint8_t*>(digest.data()));
  return digest;
}

std::string digest_of(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const auto part : parts) {
    all += std::to_string(part.size());
    all += ':';
    all += part;
  }
  return to_hex(sha256(all));
}

}  // namespace gpuharden
