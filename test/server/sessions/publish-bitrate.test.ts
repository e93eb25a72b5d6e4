import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bitrateTooHigh,
  CLEAR_PART,
  nextBitrateState,
  PATIENCE,
  toldBitrate,
  TOLERATED_PART,
  UNMEASURED,
  type BitrateState,
} from '../../../server/sessions/publish-bitrate.js';

const MAX = 4_000_000;
const after = (measured: readonly number[], from: BitrateState = UNMEASURED, patience = PATIENCE) =>
  measured.reduce((state, bitrate) => nextBitrateState(state, bitrate, { max: MAX, patience }), from);
const seconds = (count: number, part: number) => Array<number>(count).fill(MAX * part);

describe('the bitrate of a publisher', () => {
  it('is above the limit after three seconds, and exceeds it after ten more averages far above', () => {
    assert.equal(after(seconds(2, 2)).name, 'within');
    assert.equal(after(seconds(3, 2)).name, 'above');
    assert.equal(after(seconds(11, 2)).name, 'above');
    assert.deepEqual(after(seconds(12, 2)), { name: 'exceeded', bitrate: 2 * MAX });
  });

  it('exceeds the limit sooner where there is less patience', () => {
    assert.equal(after(seconds(3, 2), UNMEASURED, 2).name, 'above');
    assert.equal(after(seconds(4, 2), UNMEASURED, 2).name, 'exceeded');
  });

  it('may be a little above for as long as it likes, and is warned of', () => {
    assert.equal(after(seconds(1_000, CLEAR_PART)).name, 'above');
    assert.equal(after(seconds(1_000, TOLERATED_PART)).name, 'within');
  });

  it('may be high for a second, and after a stop of the network, in which nothing came', () => {
    assert.equal(after([...seconds(10, 0.9), ...seconds(1, 20), ...seconds(3, 0.9)]).name, 'within');
    const late = [...seconds(8, 0), ...seconds(1, 8), ...seconds(3, 0.9)];
    assert.equal(after([...late, ...late, ...late]).name, 'within');
  });

  it('is judged anew once it was no longer far above', () => {
    const broken = [...seconds(9, 2), ...seconds(3, 1.1), ...seconds(9, 2)];
    assert.equal(after(broken).name, 'above');
  });

  it('exceeds the limit only after ten averages in a row far above it, and then for good', () => {
    const measured = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(measured, (parts) => {
        const rates = parts.map((part) => part * MAX);
        const averages = rates.slice(2).map((_, index) => (rates[index]! + rates[index + 1]! + rates[index + 2]!) / 3);
        let run = 0;
        const isExceeded = averages.some((average) => (run = average > MAX * CLEAR_PART ? run + 1 : 0) === PATIENCE);
        const state = after(rates);
        assert.equal(state.name === 'exceeded', isExceeded);
        if (state.name === 'exceeded') assert.deepEqual(after(seconds(5, 0), state), state);
      }),
    );
  });

  it('is never above while every second is within', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: MAX })), (rates) => {
        assert.equal(after(rates).name, 'within');
      }),
    );
  });

  it('is told with room for the sound, and never less than half of the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: 1_000_000_000 }), (max) => {
        const told = toldBitrate(max);
        assert.ok(told >= max / 2);
        assert.ok(told === Math.round(max / 2) || told + 64_000 <= max);
      }),
    );
    assert.deepEqual([toldBitrate(100_000), toldBitrate(MAX)], [50_000, 3_736_000]);
  });

  it('is named to the person at the encoder with what to set, in a sentence that ffmpeg shows whole', () => {
    assert.equal(
      bitrateTooHigh(9_123_456, MAX),
      'The encoder sends 9123 kbit/s, and the account may send 4000. Set the video bitrate of the encoder to 3600 kbit/s, ' +
        'constant (OBS: Output, Rate Control CBR; ffmpeg: -b:v 3600k -maxrate 3600k -bufsize 3600k)',
    );
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e11, noNaN: true }),
        fc.integer({ min: 100_000, max: 1_000_000_000 }),
        (bitrate, max) => assert.ok(bitrateTooHigh(bitrate, max).length <= 255),
      ),
    );
  });
});
