import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecentReception } from '../../../server/streams/reception.js';

const STATE = { packets: 90, lost: 10, shed: 0, jitterMs: 5, bitrate: 0, codecs: { video: 'h264' } } as const;

describe('the reception of a source', () => {
  it('is not known before the first measurement, and after it was cleared', () => {
    const reception = new RecentReception();
    assert.equal(reception.summary, undefined);
    reception.add(STATE);
    reception.clear();
    assert.equal(reception.summary, undefined);
  });

  it('has the loss and the shed frames of the last ten seconds, and the rest of the newest', () => {
    const reception = new RecentReception();
    reception.add({ ...STATE, lost: 1_000_000, shed: 1_000_000 });
    for (let second = 0; second < 9; second += 1) reception.add({ ...STATE, packets: 100, lost: 0, shed: 2 });
    reception.add({ packets: 90, lost: 10, shed: 1, jitterMs: 7, bitrate: 0, codecs: { video: 'vp8', audio: 'opus' } });
    assert.deepEqual(reception.summary, {
      videoCodec: 'vp8',
      audioCodec: 'opus',
      loss: 0.01,
      shed: 19,
      overloaded: true,
      jitterSeconds: 0.007,
    });
  });

  it('is overloaded for ten seconds after the server sent less or left something out', () => {
    for (const signs of [{ shed: 1 }, { isOverloaded: true }]) {
      const reception = new RecentReception();
      reception.add({ ...STATE, ...signs });
      for (let second = 0; second < 9; second += 1) reception.add(STATE);
      assert.equal(reception.isOverloaded, true);
      reception.add(STATE);
      assert.equal(reception.isOverloaded, false);
    }
  });

  it('has no loss while no packet arrives', () => {
    const reception = new RecentReception();
    reception.add({ ...STATE, packets: 0, lost: 0 });
    assert.deepEqual(reception.summary, {
      videoCodec: 'h264',
      audioCodec: null,
      loss: null,
      shed: 0,
      overloaded: false,
      jitterSeconds: 0.005,
    });
  });
});
