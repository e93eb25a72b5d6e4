import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readPlayerOptions } from '../../../src/pages/viewer/player-options.js';

const read = (query: string) => readPlayerOptions(new URL(`https://live.test/viewer?streamId=acme/keynote${query}`));

describe('the options of the hosted player', () => {
  it('are those of a player that begins by itself, with controls and sound', () => {
    assert.deepEqual(read(''), { autoplay: true, controls: true, muted: false, quality: 'auto', hiddenParts: [] });
  });

  for (const no of ['false', 'FALSE', '0', 'no', 'off']) {
    it(`can be said no to with "${no}"`, () => {
      const { autoplay, controls } = read(`&autoplay=${no}&controls=${no}`);
      assert.deepEqual({ autoplay, controls }, { autoplay: false, controls: false });
    });
  }

  for (const yes of ['true', '1', '']) {
    it(`can be said yes to with "${yes}"`, () => assert.equal(read(`&muted=${yes}`).muted, true));
  }

  for (const [said, quality] of [
    ['720', '720'],
    ['high', '4320'],
    ['medium', '480'],
    ['low', '1'],
    ['auto', 'auto'],
    ['-1', 'auto'],
    ['1e9', 'auto'],
    ['toString', 'auto'],
  ] as const) {
    it(`begin with a quality of ${quality} for "${said}"`, () =>
      assert.equal(read(`&startingQuality=${said}`).quality, quality));
  }

  it('hide the parts that existing links name, and leave those they do not know', () => {
    assert.deepEqual(read('&hideButtons=pip, volume,liveBadge,constructor,sparkle').hiddenParts, [
      'pip',
      'mute',
      'volume',
      'badge',
    ]);
  });

  it('hold nothing of what an address says but the words they know', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), fc.string(), (query, text) => {
        const { hiddenParts, quality } = read(`&${query}&hideButtons=${encodeURIComponent(text)}`);
        for (const part of hiddenParts) assert.match(part, /^[a-z]+$/);
        assert.match(quality, /^(auto|[1-9]\d{0,4})$/);
      }),
    );
  });
});
