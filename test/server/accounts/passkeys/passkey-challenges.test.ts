import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  CHALLENGE_TTL_MS,
  PasskeyChallenges,
  type ChallengePurpose,
} from '../../../../server/accounts/passkeys/passkey-challenges.js';

const keyOf = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const purpose: fc.Arbitrary<ChallengePurpose> = fc.oneof(
  fc.constant({ to: 'sign-in' as const }),
  fc.record({ to: fc.constant('add' as const), memberId: fc.string() }),
);
const textOf = (challenge: Uint8Array) => Buffer.from(challenge).toString('base64url');

describe('the challenges of passkeys', () => {
  it('are accepted for their purpose, by every server with the key, until they expire', () => {
    fc.assert(
      fc.property(
        purpose,
        fc.integer({ min: 0, max: 2 ** 42 }),
        fc.nat(2 * CHALLENGE_TTL_MS),
        (made, start, passed) => {
          const challenge = textOf(new PasskeyChallenges(keyOf(1), () => start).create(made));
          const checked = new PasskeyChallenges(keyOf(1), () => start + passed).check(challenge, made);
          assert.equal(checked?.expiresOn, passed < CHALLENGE_TTL_MS ? start + CHALLENGE_TTL_MS : undefined);
        },
      ),
    );
  });

  it('are refused for another purpose, with another key, and with any bit changed', () => {
    const challenges = new PasskeyChallenges(keyOf(1), () => 1_000);
    fc.assert(
      fc.property(purpose, purpose, fc.nat(53), fc.nat(7), (made, asked, byte, bit) => {
        const challenge = challenges.create(made);
        const isSame = made.to === asked.to && (made.to !== 'add' || made.memberId === Object(asked).memberId);
        assert.equal(challenges.check(textOf(challenge), asked) !== undefined, isSame);
        assert.equal(new PasskeyChallenges(keyOf(2), () => 1_000).check(textOf(challenge), made), undefined);
        challenge[byte]! ^= 1 << bit;
        assert.equal(challenges.check(textOf(challenge), made), undefined);
      }),
    );
  });

  it('refuse any other text', () => {
    const challenges = new PasskeyChallenges(keyOf(1));
    fc.assert(fc.property(fc.string(), (text) => challenges.check(text, { to: 'sign-in' }) === undefined));
  });

  it('have one hash in each spelling of base64url', () => {
    const challenges = new PasskeyChallenges(keyOf(1), () => 1_000);
    const text = textOf(challenges.create({ to: 'sign-in' }));
    const hashes = [text, `${text}==`, `${text}\n`].map(
      (spelling) => challenges.check(spelling, { to: 'sign-in' })?.hash,
    );
    assert.equal(new Set(hashes).size, 1);
  });
});
