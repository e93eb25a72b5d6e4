import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readPlayerOptions } from '../../../src/pages/viewer/player-options.js';

const read = (query: string) => readPlayerOptions(new URL(`https://live.test/viewer?streamId=acme/keynote${query}`));

describe('the options of the hosted player', () => {
  it('are by default autoplay, controls and sound', () => {
    assert.deepEqual(read(''), {
      autoplay: true,
      controls: true,
      defaultMuted: false,
      audioOnly: false,
      dvr: false,
      quality: 'auto',
      hiddenParts: [],
    });
  });

  for (const off of ['false', 'FALSE', '0', 'no', 'off']) {
    it(`are turned off by "${off}"`, () => {
      const { autoplay, controls } = read(`&autoplay=${off}&controls=${off}`);
      assert.deepEqual({ autoplay, controls }, { autoplay: false, controls: false });
    });
  }

  for (const on of ['true', '1', '']) {
    it(`are turned on by "${on}"`, () => assert.equal(read(`&muted=${on}`).defaultMuted, true));
  }

  for (const [name, quality] of [
    ['720', 720],
    ['high', 4320],
    ['medium', 480],
    ['low', 1],
    ['auto', 'auto'],
    ['-1', 'auto'],
    ['1e9', 'auto'],
    ['toString', 'auto'],
  ] as const) {
    it(`have the quality ${quality} for "${name}"`, () =>
      assert.equal(read(`&startingQuality=${name}`).quality, quality));
  }

  it('hide the parts that existing links name, and ignore unknown names', () => {
    assert.deepEqual(read('&hideButtons=pip, volume,liveBadge,constructor,sparkle').hiddenParts, [
      'pip',
      'mute',
      'volume',
      'live-badge',
    ]);
  });

  for (const [query, expected] of [
    ['disableControls=true', { controls: false }],
    ['disableVolume=true', { hiddenParts: ['mute', 'volume'] }],
    ['disablePlay', { hiddenParts: ['play'] }],
    ['disableFull=1', { hiddenParts: ['fullscreen'] }],
    ['disableAudio=true', { defaultMuted: true, hiddenParts: ['mute', 'volume'] }],
    ['videoOnly=true&hideButtons=volume', { defaultMuted: true, hiddenParts: ['mute', 'volume'] }],
    ['audioOnly=true', { audioOnly: true }],
    ['disableVideo', { audioOnly: true }],
    ['disableAudio=false&disablePlay=no&disableVideo=0', {}],
  ] as const) {
    it(`are as older links mean ${query}`, () => assert.deepEqual(read(`&${query}`), { ...read(''), ...expected }));
  }

  it('contain only known values, whatever the URL contains', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), fc.string(), (query, text) => {
        const { hiddenParts, quality } = read(`&${query}&hideButtons=${encodeURIComponent(text)}`);
        for (const part of hiddenParts) assert.match(part, /^[a-z-]+$/);
        assert.match(String(quality), /^(auto|[1-9]\d{0,4})$/);
      }),
    );
  });
});
