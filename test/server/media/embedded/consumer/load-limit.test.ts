import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rankOf, loadLimit, NO_LOAD_LIMIT } from '../../../../../server/media/embedded/consumer/load-limit.js';
import type { LayerState } from '../../../../../server/media/engine/media-figures.js';

/** A simulcast of these bitrates. */
const simulcast = (...bitrates: number[]): LayerState[] =>
  bitrates.map((bitrate, index) => ({
    encodingId: String(index),
    simulcastIndex: index,
    active: true,
    bitrate,
    packets: 1,
    totalBytes: 1,
    width: 320 * 2 ** index,
    height: 180 * 2 ** index,
  }));
const temporalLayer = (temporalLayerId: number, bitrate: number) => ({ ...simulcast(bitrate)[0]!, temporalLayerId });
/** One encoding with three temporal layers, as Chromium divides its bitrate. */
const TEMPORAL = [temporalLayer(0, 400), temporalLayer(1, 200), temporalLayer(2, 400)];
const RANKS = Array.from({ length: 101 }, (_, index) => index / 100);
/** The part of the viewers that get video. */
const sentPart = (layers: readonly LayerState[], share: number, before = NO_LOAD_LIMIT) =>
  RANKS.filter((rank) => loadLimit(before, layers, { share, rank }).isSent).length / RANKS.length;

describe('loadLimit', () => {
  it('allows everything without a reduction', () => {
    assert.equal(loadLimit(NO_LOAD_LIMIT, simulcast(100, 900), { share: 1, rank: 1 }), NO_LOAD_LIMIT);
  });

  it('limits the bitrate of all viewers, if there are low layers', () => {
    const layers = simulcast(100, 300, 1_000);
    assert.deepEqual(loadLimit(NO_LOAD_LIMIT, layers, { share: 1 / 2, rank: 1 }), { maxBitrate: 500, isSent: true });
    assert.equal(sentPart(layers, 1 / 8), 1);
  });

  it('leaves some viewers without video if there are none', () => {
    const parts = [1 / 2, 1 / 4, 1 / 8, 0].map((share) => Math.round(10 * sentPart(simulcast(1_000), share)));
    assert.deepEqual(parts, [8, 4, 2, 0]);
  });

  it('leaves hardly any viewer without video at a quarter, and half of them at an eighth, if there are temporal layers', () => {
    const parts = [1 / 2, 1 / 4, 1 / 8].map((share) => Math.round(10 * sentPart(TEMPORAL, share)));
    assert.deepEqual(parts, [10, 9, 5]);
  });

  it('keeps its decision while bitrates vary by a few per cent', () => {
    const [least, most] = [simulcast(940, 1_000), simulcast(1_000, 1_000)];
    const rank = 0.76;
    const paused = loadLimit(NO_LOAD_LIMIT, most, { share: 1 / 2, rank });
    assert.deepEqual([paused.isSent, loadLimit(paused, least, { share: 1 / 2, rank }).isSent], [false, false]);
  });

  it('never gives more to more viewers with a smaller share', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const bitrates = fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(share, share, bitrates, (one, other, found) => {
        const layers = simulcast(...found.toSorted((a, b) => a - b));
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        assert.ok(sentPart(layers, less) <= sentPart(layers, more));
      }),
    );
  });
});

describe('the ranks of viewers', () => {
  it('are spread evenly, however many there are', () => {
    for (const viewers of [1, 2, 10, 100, 1_000]) {
      const ranks = Array.from({ length: viewers }, (_, index) => rankOf(index + 1));
      for (const share of [1 / 2, 1 / 4, 1 / 8]) {
        const below = ranks.filter((rank) => rank < share).length;
        assert.ok(Math.abs(below - share * viewers) < 3, `${below} of ${viewers} below ${share}`);
      }
    }
    assert.ok(Array.from({ length: 10 }, (_, index) => rankOf(index + 1)).some((rank) => rank < 1 / 8));
  });
});
