import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  isListed,
  keyPeriod,
  keyPeriodExpiresAt,
  SegmentKeys,
  type SharedFile,
} from '../../../server/admission/segment-keys.js';

const keys = new SegmentKeys(createSecretKey(Buffer.alloc(32, 1)));
const MINUTE = 60_000;
const NOW = Date.parse('2030-01-01T00:00:00Z');
const shared = (changes: Partial<SharedFile> = {}): SharedFile => ({
  recordingId: 'r'.repeat(22),
  period: keyPeriod(NOW),
  file: 'part-1-7.m4s',
  ...changes,
});

const time = fc.integer({ min: 0, max: NOW * 2 });
const file = fc.record({
  recordingId: fc.stringMatching(/^[\w-]{22}$/),
  period: fc.nat({ max: 999_999_999 }),
  file: fc.stringMatching(/^[\w-]{1,64}-(?:0|[1-9]\d{0,8})\.(?:mp4|m4s)$/),
});

describe('the period of a key', () => {
  it('has two minutes, the same ones for everybody', () => {
    assert.equal(keyPeriod(NOW + 2 * MINUTE - 1), keyPeriod(NOW));
    assert.equal(keyPeriod(NOW + 2 * MINUTE), keyPeriod(NOW) + 1);
    assert.equal(keyPeriod(NOW - 1), keyPeriod(NOW) - 1);
  });

  it('is listed while it lasts and in the next one, and not before it', () => {
    const period = keyPeriod(NOW);
    const times = [NOW - 1, NOW, NOW + 4 * MINUTE - 1, NOW + 4 * MINUTE];
    assert.deepEqual(
      times.map((now) => isListed(period, now)),
      [false, true, true, false],
    );
  });

  it('lasts a minute longer than it is listed, and five minutes from its start', () => {
    fc.assert(
      fc.property(time, fc.nat({ max: 10 * MINUTE }), (recordedAt, later) => {
        const period = keyPeriod(recordedAt);
        const now = recordedAt + later;
        const left = keyPeriodExpiresAt(period) - now;
        if (isListed(period, now)) assert.equal(left > MINUTE && left <= 5 * MINUTE, true);
        else assert.equal(left <= MINUTE, true);
      }),
    );
  });
});

describe('the key of a file', () => {
  it('is accepted until the last millisecond before it expires', () => {
    const key = keys.keyOf(shared());
    const expiresAt = NOW + 5 * MINUTE;
    assert.deepEqual(keys.check(shared(), key, NOW), { ok: true, expiresAt });
    assert.deepEqual(keys.check(shared(), key, expiresAt - 1), { ok: true, expiresAt });
    assert.deepEqual(keys.check(shared(), key, expiresAt), { ok: false, code: 'grant_expired' });
  });

  it('has 22 characters that an address can have', () => {
    fc.assert(fc.property(file, (one) => assert.match(keys.keyOf(one), /^[\w-]{22}$/)));
  });

  it('is for this file of this recording and this period only', () => {
    fc.assert(
      fc.property(file, file, fc.subarray(['recordingId', 'period', 'file'] as const), (one, other, names) => {
        const same = Object.fromEntries(names.map((name) => [name, one[name]]));
        const mixed: SharedFile = { ...other, ...same };
        assert.equal(keys.keyOf(mixed) === keys.keyOf(one), isDeepStrictEqual({ ...mixed }, { ...one }));
      }),
    );
  });

  for (const [what, changes] of [
    ['the next segment', { file: 'part-1-8.m4s' }],
    ['another recording', { recordingId: 's'.repeat(22) }],
    ['a later period', { period: shared().period + 1 }],
  ] as const) {
    it(`is refused for ${what}`, () => {
      const check = keys.check(shared(changes), keys.keyOf(shared()), NOW);
      assert.deepEqual(check, { ok: false, code: 'grant_invalid' });
    });
  }

  it('is refused if it was cut off or made longer, and if another server key made it', () => {
    const key = keys.keyOf(shared());
    const other = new SegmentKeys(createSecretKey(Buffer.alloc(32, 2))).keyOf(shared());
    for (const wrong of ['', key.slice(1), `${key}A`, other]) {
      assert.deepEqual(keys.check(shared(), wrong, NOW), { ok: false, code: 'grant_invalid' });
    }
  });
});
