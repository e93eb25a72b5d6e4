import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heightOf, qualityChoices } from '../../../../src/elements/viewer/controls/menu-choices.js';
import { viewerMessages } from '../../../../src/elements/i18n/en.js';

const layer = (height: number) => ({ encodingId: String(height), width: (height * 16) / 9, height, bitrate: height });
const offered = (heights: readonly number[], chosen = 0) =>
  qualityChoices(viewerMessages, heights.map(layer), chosen, () => {}).map(({ label, isChosen }) =>
    isChosen ? `[${label}]` : label,
  );

describe('a quality', () => {
  for (const [quality, height] of [
    ['720', 720],
    ['720p', 720],
    ['1080P', 1080],
    ['auto', 0],
    ['', 0],
    ['-720', 0],
    ['720px', 0],
    ['7e2', 0],
    ['Infinity', 0],
    ['0', 0],
  ] as const) {
    it(`of "${quality}" is ${height || 'whatever the network carries'}`, () => assert.equal(heightOf(quality), height));
  }
});

describe('the choice of qualities', () => {
  it('is one of heights, or ours', () => {
    assert.deepEqual(offered([1080, 720, 360]), ['[Auto]', '1080p', '720p', '360p']);
    assert.deepEqual(offered([1080, 720, 360], 720), ['Auto', '1080p', '[720p]', '360p']);
  });

  it('names each height once, however many frame rates it comes in', () => {
    assert.deepEqual(offered([720, 720, 360, 360]), ['[Auto]', '720p', '360p']);
  });

  it('shows what is sent in place of a height that there is not', () => {
    assert.deepEqual(offered([1080, 720, 360], 900), ['Auto', '1080p', '[720p]', '360p']);
    assert.deepEqual(offered([1080, 720, 360], 1), ['Auto', '1080p', '720p', '[360p]']);
  });

  for (const heights of [[], [720], [720, 720], [720, 0]]) {
    it(`is none among ${JSON.stringify(heights)}`, () => assert.deepEqual(offered(heights), []));
  }

  it('says what was chosen', () => {
    const chosen: string[] = [];
    for (const { choose } of qualityChoices(viewerMessages, [layer(720), layer(360)], 0, (quality) =>
      chosen.push(quality),
    ))
      choose();
    assert.deepEqual(chosen, ['auto', '720', '360']);
  });
});
