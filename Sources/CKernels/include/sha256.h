// SHA-256 (FIPS 180-4).
#ifndef CKERNELS_SHA256_H
#define CKERNELS_SHA256_H

#include <stddef.h>
#include <stdint.h>

/// Writes the digest of `count` bytes, with the processor's own instructions where it has them.
void ck_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);

/// The same in portable code only: the judge of the fast path.
void ck_sha256_portable(const uint8_t *bytes, size_t count, uint8_t digest[32]);

#endif
