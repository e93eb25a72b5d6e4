import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { LayerFilter } from '../../../../../server/media/embedded/rtp/layer-filter.js';
import { emptyPayloadInfo, type PayloadInfo } from '../../../../../server/media/embedded/rtp/payload-info.js';

const packet = (of: Partial<PayloadInfo> = {}): PayloadInfo => ({ ...emptyPayloadInfo(), ...of });
/** The first packet of a picture of all layers. */
const picture = (of: Partial<PayloadInfo> = {}): PayloadInfo =>
  packet({ spatialId: 0, temporalId: 0, startsFrame: true, ...of });

describe('a filter of layers', () => {
  let filter: LayerFilter;
  beforeEach(() => (filter = new LayerFilter(true)));

  /** Which spatial and temporal layers of the picture that began pass. */
  const passing = () => ({
    spatial: [0, 1, 2].filter((spatialId) => !filter.drops(packet({ spatialId, temporalId: 0 }))),
    temporal: [0, 1, 2].filter((temporalId) => !filter.drops(packet({ spatialId: 0, temporalId }))),
  });

  it('drops nothing of a video without layers, and nothing before it is limited', () => {
    assert.deepEqual(passing(), { spatial: [0, 1, 2], temporal: [0, 1, 2] });
    filter.limit({ spatial: -1, temporal: -1 });
    filter.reset();
    assert.equal(filter.drops(packet({ startsFrame: true })), false);
    assert.equal(filter.drops(packet({ temporalId: 0 })), true);
  });

  it('goes down with the next picture, and not within one', () => {
    filter.limit({ spatial: 0, temporal: 1 });
    assert.deepEqual(passing(), { spatial: [0, 1, 2], temporal: [0, 1, 2] });
    filter.drops(picture({ spatialId: 1 }));
    assert.deepEqual(passing(), { spatial: [0, 1, 2], temporal: [0, 1, 2] }, 'the frame of a layer begins no picture');
    filter.drops(picture());
    assert.deepEqual(passing(), { spatial: [0], temporal: [0, 1] });
  });

  it('drops temporal layers also of a video without spatial ones', () => {
    filter.limit({ spatial: 0, temporal: 0 });
    filter.drops(picture({ spatialId: -1 }));
    assert.deepEqual([filter.drops(packet({ temporalId: 0 })), filter.drops(packet({ temporalId: 1 }))], [false, true]);
  });

  it('goes up to more spatial layers with a keyframe only', () => {
    filter.limit({ spatial: 0, temporal: 0 });
    filter.reset();
    filter.limit({ spatial: 1, temporal: 0 });
    assert.equal(filter.needsKeyframe, true);
    filter.drops(picture({ isSwitchingPoint: true, isLayerSync: true }));
    assert.deepEqual(passing().spatial, [0]);
    filter.drops(picture({ startsKeyframe: true }));
    assert.deepEqual([passing().spatial, filter.needsKeyframe], [[0, 1], false]);
  });

  it('goes up to more temporal layers after a switching point of those that are sent', () => {
    filter.limit({ spatial: 2, temporal: 0 });
    filter.reset();
    filter.limit({ spatial: 2, temporal: 2 });
    filter.drops(picture());
    assert.deepEqual(passing().temporal, [0]);
    filter.drops(picture({ isSwitchingPoint: true, temporalId: 1 }));
    assert.deepEqual(passing().temporal, [0], 'it depends on what was not sent');
    filter.drops(picture({ isSwitchingPoint: true }));
    assert.deepEqual(passing().temporal, [0, 1, 2]);
  });

  it('goes up to the temporal layer of a picture that depends on the lowest only, within the limit', () => {
    filter.limit({ spatial: 2, temporal: 0 });
    filter.reset();
    filter.limit({ spatial: 2, temporal: 1 });
    filter.drops(picture({ isLayerSync: true, temporalId: 2 }));
    assert.deepEqual(passing().temporal, [0]);
    filter.limit({ spatial: 2, temporal: 2 });
    filter.drops(picture({ isLayerSync: true, temporalId: 1 }));
    assert.deepEqual(passing().temporal, [0, 1]);
    filter.drops(picture({ isLayerSync: true }));
    assert.deepEqual(passing().temporal, [0, 1]);
  });

  it('ends a picture with the last packet of the highest layer that is sent', () => {
    filter.limit({ spatial: 1, temporal: 0 });
    filter.reset();
    const ends = (spatialId: number, endsFrame = true) => filter.endsPicture(packet({ spatialId, endsFrame }));
    assert.deepEqual([ends(0), ends(1), ends(1, false), ends(2)], [false, true, false, false]);
    filter.limit({ spatial: -1, temporal: -1 });
    filter.reset();
    assert.equal(ends(-1), false, 'a video without layers has its own ends');
  });

  it('passes only the lowest spatial layer of AV1 to a receiver without dependency descriptors', () => {
    const lowest = new LayerFilter(false);
    const isDropped = (spatialId: number, frameNumber: number) =>
      lowest.drops(packet({ spatialId, temporalId: 0, frameNumber }));
    assert.deepEqual([isDropped(0, 0), isDropped(1, 0), isDropped(1, -1)], [false, true, false]);
    assert.equal(lowest.endsPicture(packet({ spatialId: 0, endsFrame: true, frameNumber: 0 })), true);
  });
});
