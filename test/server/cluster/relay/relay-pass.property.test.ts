import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { streamName } from '../../../../src/wire/text.js';
import { RelayPasses, type RelayPass } from '../../../../server/cluster/relay/relay-pass.js';
import { streamIdOf } from '../../../../server/streams/stream-id.js';

const key = () => createSecretKey(randomBytes(32));
const passes = new RelayPasses(key());
const NOW = 1_800_000_000_000;

const streamIds = fc
  .tuple(
    fc.stringMatching(/^[\w-]{1,64}$/),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      // As every name is that comes from outside.
      .map((name) => name.normalize('NFC'))
      .filter((name) => streamName.safeParse(name).success),
  )
  .map(([accountId, streamName]) => streamIdOf(accountId, streamName));
const pass: fc.Arbitrary<RelayPass> = fc.record(
  { streamId: streamIds, from: fc.string(), to: fc.string(), epoch: fc.nat() },
  { noNullPrototype: true },
);
const sdp = fc.string({ unit: 'grapheme' });

describe('the pass with which a server asks another for a stream', () => {
  it('is accepted with its offer, and says what was signed', () => {
    fc.assert(
      fc.property(pass, sdp, fc.integer({ min: 0, max: 14_999 }), (signed, offer, later) => {
        const check = passes.check(passes.sign(signed, offer, NOW), offer, NOW + later);
        assert.ok(check.ok);
        assert.deepEqual(check.pass, signed);
        assert.equal(check.expiresAt, NOW + 15_000);
      }),
    );
  });

  it('is refused when it has expired', () => {
    fc.assert(
      fc.property(pass, sdp, fc.integer({ min: 15_000 }), (signed, offer, later) => {
        assert.deepEqual(passes.check(passes.sign(signed, offer, NOW), offer, NOW + later), { ok: false });
      }),
    );
  });

  it('is refused with another offer', () => {
    fc.assert(
      fc.property(pass, sdp, sdp, (signed, offer, other) => {
        fc.pre(offer !== other);
        assert.deepEqual(passes.check(passes.sign(signed, offer, NOW), other, NOW), { ok: false });
      }),
    );
  });

  it('is refused when one character of it is another', () => {
    fc.assert(
      fc.property(pass, sdp, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (signed, offer, at, character) => {
        const text = passes.sign(signed, offer, NOW);
        const place = at % text.length;
        fc.pre(text[place] !== character);
        const forged = text.slice(0, place) + character + text.slice(place + 1);
        assert.deepEqual(passes.check(forged, offer, NOW), { ok: false });
      }),
    );
  });

  it('is refused, without an error, whatever is sent in its place', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          sdp,
          fc.tuple(fc.base64String(), fc.base64String()).map((parts) => parts.join('.')),
        ),
        (text) => {
          assert.deepEqual(passes.check(text, 'offer', NOW), { ok: false });
        },
      ),
    );
  });

  it('of a server with another key is refused', () => {
    const other = new RelayPasses(key());
    fc.assert(
      fc.property(pass, sdp, (signed, offer) => {
        assert.deepEqual(passes.check(other.sign(signed, offer, NOW), offer, NOW), { ok: false });
      }),
    );
  });

  it('differs each time', () => {
    const one = { streamId: streamIdOf('acme', 's'), from: 'a', to: 'b', epoch: 1 };
    assert.notEqual(passes.sign(one, 'offer', NOW), passes.sign(one, 'offer', NOW));
  });
});

describe('the proof of an answer', () => {
  const signed = passes.sign({ streamId: streamIdOf('acme', 's'), from: 'a', to: 'b', epoch: 1 }, 'offer', NOW);

  it('holds for this answer to this pass, and for no other', () => {
    fc.assert(
      fc.property(sdp, sdp, (answer, other) => {
        fc.pre(answer !== other);
        const proof = passes.prove(signed, answer);
        const again = passes.sign({ streamId: streamIdOf('acme', 's'), from: 'a', to: 'b', epoch: 1 }, 'offer', NOW);
        assert.deepEqual(
          [
            passes.isProven(signed, answer, proof),
            passes.isProven(signed, other, proof),
            passes.isProven(again, answer, proof),
            passes.isProven(signed, answer, ''),
          ],
          [true, false, false, false],
        );
      }),
    );
  });

  it('is no pass', () => {
    const [text] = signed.split('.');
    assert.deepEqual(passes.check(`${text}.${passes.prove(signed, 'answer')}`, 'offer', NOW), { ok: false });
  });
});
