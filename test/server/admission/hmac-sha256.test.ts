import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HmacSha256 } from '../../../server/admission/hmac-sha256.js';

describe('HmacSha256', () => {
  it("is node's own HMAC, whatever the key and the text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.string({ unit: 'grapheme' }), (bytes, text) => {
        const key = createSecretKey(bytes);
        assert.equal(new HmacSha256(key).sign(text), createHmac('sha256', key).update(text).digest('base64url'));
      }),
    );
  });

  it('is the same for texts that need more space than most, after others', () => {
    const key = createSecretKey(Buffer.alloc(32, 1));
    const hmac = new HmacSha256(key);
    for (const text of ['a', '€'.repeat(2_048), '€'.repeat(2_049), 'a'.repeat(100_000), 'a']) {
      assert.equal(hmac.sign(text), createHmac('sha256', key).update(text).digest('base64url'));
    }
  });

  it('refuses a key of more than 64 bytes', () => {
    assert.throws(() => new HmacSha256(createSecretKey(Buffer.alloc(65))), RangeError);
  });
});
