import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LayerState } from '../../../server/media/engine/media-figures.js';
import { layerReport } from '../../../server/streams/layer-report.js';
import { layersEvent } from '../../../server/streams/stream-event-factory.js';
import type { LayersMeasured } from '../../../server/streams/stream-event.js';

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
const mediaOf = (...layers: LayerState[]) => layerReport([['1', layers]]).medias['1']!;

describe('the report of layers', () => {
  it('has what each m-line shows: the encodings that are sent, and those that are not', () => {
    const report = layerReport([
      ['1', [layer('0', { width: 320, height: 180, bitrate: 100_000 }), layer('1', { active: false, totalBytes: 7 })]],
      ['2', []],
    ]);
    const small = { encodingId: '0', simulcastIdx: 0, spatialLayerId: 255, temporalLayerId: 255 };
    const size = { width: 320, height: 180 };
    const rate = { bitrate: 100_000, totalBitrate: 100_000 };
    assert.deepEqual(report, {
      medias: {
        '1': {
          active: [{ id: '0', simulcastIdx: 0, totalBytes: 100_000, numPackets: 50, ...rate, ...size, layers: [] }],
          inactive: [{ id: '1', simulcastIdx: 1, totalBytes: 7, numPackets: 50 }],
          layers: [{ ...small, ...rate, targetBitrate: 100_000, targetWidth: 320, targetHeight: 180, ...size }],
        },
        '2': { active: [], inactive: [], layers: [] },
      },
    });
  });

  it('sums up the layers of a scalable encoding, and has those that are sent', () => {
    const { active, layers } = mediaOf(
      layer('0', { spatialLayerId: 0, temporalLayerId: 0, width: 320, height: 180 }),
      layer('0', { spatialLayerId: 1, temporalLayerId: 0 }),
      layer('0', { spatialLayerId: 2, temporalLayerId: 0, active: false, width: 1280, height: 720 }),
    );
    const [{ width, height, bitrate, totalBytes, numPackets } = assert.fail(), ...others] = active;
    assert.deepEqual([others, width, height, bitrate, totalBytes, numPackets], [[], 640, 360, 1e6, 300_000, 150]);
    const ids = [active[0]!.layers, layers].map((all) =>
      all.map((each) => [each.spatialLayerId, each.temporalLayerId]),
    );
    const sent = [
      [0, 0],
      [1, 0],
    ];
    assert.deepEqual(ids, [sent, sent]);
  });

  it('has the layers of an encoding that is scalable in one dimension', () => {
    for (const more of [{ spatialLayerId: 0 }, { temporalLayerId: 0 }]) {
      assert.equal(mediaOf(layer('0', more)).active[0]!.layers.length, 1);
    }
  });
});

describe('the event with the layers of a viewer', () => {
  const measured: LayersMeasured = {
    seq: 9,
    name: 'layers-measured',
    layers: new Map([
      [null, [layer('0', { width: 1 })]],
      ['cam', [layer('0', { width: 2 })]],
    ]),
  };
  const event = (...shown: [mid: string, sourceId: string | null][]) => layersEvent(measured, new Map(shown));

  it('has the sources that the viewer is shown, and nothing of one that is not measured', () => {
    const { seq, name, data } = event(['0', 'cam'], ['1', null], ['2', 'other']);
    assert.deepEqual([seq, name], [9, 'layers']);
    assert.deepEqual(
      data,
      layerReport([
        ['0', [layer('0', { width: 2 })]],
        ['1', [layer('0', { width: 1 })]],
        ['2', []],
      ]),
    );
  });

  it('is the same object for viewers who are shown the same, so that it is encoded once', () => {
    assert.equal(event(['0', 'cam']), event(['0', 'cam']));
    assert.notEqual(event(['0', 'cam']), event(['1', 'cam']));
    assert.notEqual(event(['0', 'cam']), layersEvent({ ...measured }, new Map([['0', 'cam']])));
  });
});
