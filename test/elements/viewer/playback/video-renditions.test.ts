import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { PictureHeight } from '../../../../src/elements/picture-height.js';
import { VideoRenditionList, type VideoRendition } from '../../../../src/elements/viewer/playback/video-renditions.js';

const layer = (height: number, bitrate = height * 1000) => ({
  encodingId: String(height),
  width: (height * 16) / 9,
  height,
  bitrate,
});

interface RenditionEvent extends Event {
  readonly rendition: VideoRendition;
}

function listOf(heights: readonly number[], quality: PictureHeight = 'auto') {
  const player = { quality };
  const list = new VideoRenditionList(player);
  const events: string[] = [];
  for (const type of ['addrendition', 'removerendition'])
    list.addEventListener(type, (event) => events.push(`${type} ${(event as RenditionEvent).rendition.id}`));
  list.addEventListener('change', () => events.push(`change ${list.selectedIndex}`));
  const update = (next: readonly number[]): void => list.update(next.map((height) => layer(height)));
  update(heights);
  return { player, list, events, update };
}

const ids = (list: VideoRenditionList): string[] => [...list].map(({ id }) => id);

describe('the renditions of a video', () => {
  it('are its layers, each with id, size, bitrate and frame rate', () => {
    const { list } = listOf([1080, 720, 360]);
    assert.deepEqual(
      { ...list[1] },
      { id: '720p', width: 1280, height: 720, bitrate: 720_000, frameRate: undefined, selected: false },
    );
    assert.deepEqual([list.length, ids(list)], [3, ['1080p', '720p', '360p']]);
    assert.equal(list[3], undefined);
  });

  it('are one for each height, whatever the number of frame rates', () => {
    assert.deepEqual(ids(listOf([720, 720, 360, 360]).list), ['720p', '360p']);
  });

  it('leave out layers of unknown size', () => {
    assert.deepEqual(ids(listOf([720, 0]).list), ['720p']);
  });

  it('are found by their id', () => {
    const { list } = listOf([720, 360]);
    assert.equal(list.getRenditionById('360p'), list[1]);
    assert.equal(list.getRenditionById('1080p'), null);
  });

  it('stay the same objects while their bitrates change, without an event', () => {
    const { list, events } = listOf([720, 360]);
    const [first] = list;
    events.length = 0;
    list.update([layer(720, 5), layer(360, 3)]);
    assert.deepEqual([list[0] === first, list[0]!.bitrate, list[1]!.bitrate, events], [true, 5, 3, []]);
  });

  it('dispatch addrendition and removerendition', () => {
    const { list, events, update } = listOf([720]);
    update([1080, 720]);
    update([1080]);
    update([]);
    assert.deepEqual(events, [
      'addrendition 720p',
      'addrendition 1080p',
      'removerendition 720p',
      'removerendition 1080p',
    ]);
    assert.deepEqual([list.length, list[0]], [0, undefined]);
  });
});

describe('the selected rendition', () => {
  for (const [quality, index] of [
    ['auto', -1],
    [1080, 0],
    [720, 1],
    [900, 1],
    [1, 2],
  ] as const) {
    it(`is number ${index} with a quality of ${quality}`, () => {
      assert.equal(listOf([1080, 720, 360], quality).list.selectedIndex, index);
    });
  }

  it('sets the quality of the player', () => {
    const { list, player } = listOf([1080, 720]);
    list.selectedIndex = 1;
    assert.deepEqual([player.quality, list[0]!.selected, list[1]!.selected], [720, false, true]);
    list.selectedIndex = -1;
    assert.equal(player.quality, 'auto');
  });

  it('can be selected by itself', () => {
    const { list, player } = listOf([1080, 720]);
    list[1]!.selected = true;
    assert.equal(player.quality, 720);
    list[1]!.selected = false;
    assert.equal(player.quality, 'auto');
  });

  it('dispatches change after it has changed', () => {
    const { list, events, update } = listOf([1080, 720]);
    events.length = 0;
    list.selectedIndex = 1;
    update([1080, 720]);
    update([1080, 720]);
    update([720]);
    assert.deepEqual(events, ['change 1', 'removerendition 1080p', 'change 0']);
  });

  it('is always in the list, or none', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3000)), fc.oneof(fc.constant('auto' as const), fc.nat(3000)), (heights, quality) => {
        const { list } = listOf(
          [...heights].sort((a, b) => b - a),
          quality,
        );
        const index = list.selectedIndex;
        assert.ok(index === -1 ? quality === 'auto' || list.length === 0 : list[index] !== undefined);
      }),
    );
  });
});
