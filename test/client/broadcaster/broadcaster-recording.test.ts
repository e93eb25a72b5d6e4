import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { codecToRecord, recordingOf } from '../../../src/client/broadcaster/broadcaster-recording.js';

describe('the codec to record', () => {
  it('is H.264, then VP9, because viewers can go back in them', () => {
    assert.equal(codecToRecord(['video/vp8', 'video/vp9', 'video/h264']), 'h264');
    assert.equal(codecToRecord(['video/vp8', 'video/rtx', 'video/vp9']), 'vp9');
  });

  it('is VP8 where the browser has nothing else, or says nothing', () => {
    assert.equal(codecToRecord(['video/vp8', 'video/av1']), 'vp8');
    assert.equal(codecToRecord([]), 'vp8');
    assert.equal(codecToRecord(undefined), 'vp8');
  });
});

describe('the recording of a broadcast', () => {
  it('is what the server says in its event', () => {
    assert.deepEqual(recordingOf({ state: 'on', fault: null }, true), {
      name: 'on',
      fault: undefined,
      canRewind: true,
    });
    assert.deepEqual(recordingOf({ state: 'off', fault: 'disk_full' }, false), {
      name: 'off',
      fault: 'disk_full',
      canRewind: false,
    });
  });

  it('is off after an event that cannot be read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        assert.equal(recordingOf(data, true).name, 'off');
      }),
    );
  });
});
