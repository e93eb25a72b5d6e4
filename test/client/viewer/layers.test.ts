import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { layerData, readLayers } from '../../../src/client/viewer/layers.js';

const simulcast = (encodingId: string, width: number, height: number, bitrate: number) => ({
  encodingId,
  simulcastIdx: Number(encodingId),
  spatialLayerId: 255,
  temporalLayerId: 255,
  bitrate,
  totalBitrate: bitrate,
  width,
  height,
});
/** The same layer as the client returns it: without dimensions that have no layers. */
const known = (encodingId: string, width: number, height: number, bitrate: number) => ({
  encodingId,
  spatialLayerId: undefined,
  temporalLayerId: undefined,
  width,
  height,
  bitrate,
});

describe('the layers of a video', () => {
  it('are those of the m-line, the largest first, without dimensions that have no layers', () => {
    const layers = [simulcast('0', 320, 180, 150_000), simulcast('1', 640, 360, 500_000)];
    assert.deepEqual(readLayers({ medias: { '0': { active: [], inactive: [], layers }, '7': { layers: [] } } }, '0'), [
      known('1', 640, 360, 500_000),
      known('0', 320, 180, 150_000),
    ]);
    assert.deepEqual(readLayers({ medias: { '7': { layers } } }, '0'), []);
  });

  it('are read from any JSON without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (data, layer) => {
        readLayers(data, '0');
        readLayers({ medias: { '0': { layers: [layer] } } }, '0');
      }),
    );
  });

  it('are selected only by the fields that identify them', () => {
    const [layer] = readLayers({ medias: { '0': { layers: [simulcast('1', 640, 360, 500_000)] } } }, '0');
    assert.equal(JSON.stringify(layerData(layer!)), '{"encodingId":"1"}');
    assert.deepEqual(layerData({ maxHeight: 360, maxTemporalLayerId: 0 }), { maxHeight: 360, maxTemporalLayerId: 0 });
    assert.deepEqual(layerData('auto'), {});
  });
});
