import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LayerState } from '../../../server/media/engine/media-figures.js';
import { sourceStatus } from '../../../server/streams/live-status.js';
import { Source } from '../../../server/streams/source.js';
import { aPublisher } from '../../support/member.js';

const layer = (encodingId: string, more: Partial<LayerState> = {}): LayerState => ({
  encodingId,
  simulcastIndex: Number(encodingId),
  active: true,
  bitrate: 500_000,
  packets: 50,
  totalBytes: 100_000,
  width: 640,
  height: 360,
  ...more,
});

describe('the status of a source', () => {
  const live = (changed: Partial<Source> = {}) => {
    const source = Object.assign(new Source(aPublisher({ tokenId: 7 }), true), {
      tracks: ['audio', 'video'],
      liveSince: 5,
      ...changed,
    });
    source.reception.add({ packets: 90, lost: 10, shed: 0, jitterMs: 5, bitrate: 1, codecs: { video: 'vp8' } });
    return source;
  };

  it('is none while the source is not live', () => {
    for (const source of [live({ tracks: undefined }), live({ liveSince: undefined })]) {
      assert.equal(sourceStatus(null, source), undefined);
    }
  });

  it('has its tracks, its publisher and what was measured', () => {
    const status = sourceStatus('cam', live());
    const reception = {
      videoCodec: 'vp8',
      audioCodec: null,
      loss: 0.1,
      shed: 0,
      overloaded: false,
      jitterSeconds: 0.005,
    };
    assert.deepEqual(status, {
      sourceId: 'cam',
      tokenId: 7,
      liveSince: 5,
      connected: true,
      tracks: ['audio', 'video'],
      encodings: [],
      reception,
      notices: [],
    });
  });

  it('has each encoding, with the largest picture and the sum of its layers that are sent', () => {
    const layers = [
      layer('0', { active: false }),
      layer('1', { spatialLayerId: 0, width: 320, height: 180 }),
      layer('1', { spatialLayerId: 1 }),
      layer('1', { spatialLayerId: 2, active: false, width: 1280, height: 720 }),
    ];
    assert.deepEqual(sourceStatus(null, live({ layers }))?.encodings, [
      { id: '0', active: false, width: 0, height: 0, bitrate: 0 },
      { id: '1', active: true, width: 640, height: 360, bitrate: 1_000_000 },
    ]);
  });

  it('has no measurements of a publisher that is lost: they are of the past', () => {
    const publisher = Object.assign(aPublisher(), { suspended: true });
    const status = sourceStatus(null, live({ publisher, layers: [layer('0')] }));
    assert.deepEqual([status?.connected, status?.encodings, status?.reception], [false, [], undefined]);
  });
});
