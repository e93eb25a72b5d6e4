import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receptionCause } from '../../../../src/pages/dashboard/live/reception-cause.js';

describe('why a source does not arrive as it was sent', () => {
  const causeOf = (loss: number | null, shed = 0) =>
    receptionCause({ videoCodec: 'h264', audioCodec: 'opus', loss, shed, jitterSeconds: 0 });

  it('is the upload if much is lost on the way', () =>
    assert.deepEqual([causeOf(0.04), causeOf(0.03), causeOf(null)], ['upload', undefined, undefined]));

  it('is the server while it leaves frames out, and not the upload, also if packets are lost', () =>
    assert.deepEqual([causeOf(0, 1), causeOf(0.5, 1)], ['server', 'server']));
});
