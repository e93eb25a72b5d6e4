import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { viewerMessages } from '../../../../src/elements/i18n/en.js';
import { qualityChoices } from '../../../../src/elements/viewer/settings/menu-choices.js';
import { VideoRenditionList } from '../../../../src/elements/viewer/playback/video-renditions.js';
import type { PictureHeight } from '../../../../src/elements/picture-height.js';

const layer = (height: number) => ({ encodingId: String(height), width: (height * 16) / 9, height, bitrate: height });

function offered(heights: readonly number[], quality: PictureHeight = 'auto') {
  const player = { quality };
  const list = new VideoRenditionList(player);
  list.update(heights.map(layer));
  return { player, choices: qualityChoices(viewerMessages, list) };
}

const labels = (heights: readonly number[], quality?: PictureHeight): string[] =>
  offered(heights, quality).choices.map(({ label, isChosen }) => (isChosen ? `[${label}]` : label));

describe('the choices of qualities', () => {
  it('are the heights, and automatic selection', () => {
    assert.deepEqual(labels([1080, 720, 360]), ['[Auto]', '1080p', '720p', '360p']);
    assert.deepEqual(labels([1080, 720, 360], 720), ['Auto', '1080p', '[720p]', '360p']);
  });

  it('name each height once, whatever the number of frame rates', () => {
    assert.deepEqual(labels([720, 720, 360, 360]), ['[Auto]', '720p', '360p']);
  });

  it('show the height that is sent instead of a missing one', () => {
    assert.deepEqual(labels([1080, 720, 360], 900), ['Auto', '1080p', '[720p]', '360p']);
    assert.deepEqual(labels([1080, 720, 360], 1), ['Auto', '1080p', '720p', '[360p]']);
  });

  for (const heights of [[], [720], [720, 720], [720, 0]]) {
    it(`are none among ${JSON.stringify(heights)}`, () => assert.deepEqual(labels(heights), []));
  }

  it('set the quality of the player', () => {
    const { player, choices } = offered([720, 360]);
    const chosen = choices.map(({ choose }) => {
      choose();
      return player.quality;
    });
    assert.deepEqual(chosen, ['auto', 720, 360]);
  });
});
