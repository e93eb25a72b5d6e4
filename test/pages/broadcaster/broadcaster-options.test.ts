import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readBroadcasterOptions } from '../../../src/pages/broadcaster/broadcaster-options.js';

const read = (query: string) => readBroadcasterOptions(new URL(`https://live.test/broadcaster?streamName=a${query}`));

const DEFAULTS = {
  microphoneEnabled: true,
  cameraEnabled: true,
  resolution: 720,
  sourceId: '',
  codec: 'auto',
  simulcast: 'auto',
  maxBitrate: 0,
};

describe('the options of the hosted broadcaster', () => {
  it('are by default camera and microphone, as the tag sends them', () => assert.deepEqual(read(''), DEFAULTS));

  for (const [query, change] of [
    ['audioOnly', { cameraEnabled: false }],
    ['disableVideo=true', { cameraEnabled: false }],
    ['videoOnly=1', { microphoneEnabled: false }],
    ['noAudio', { microphoneEnabled: false }],
    ['disableAudio=true', { microphoneEnabled: false }],
    ['disableAudio&disableVideo', { microphoneEnabled: false, cameraEnabled: false }],
    ['audioOnly=false&noAudio=0&videoOnly=no&disableVideo=off', {}],
    ['sourceId=stage%20left', { sourceId: 'stage left' }],
    [`sourceId=${'x'.repeat(129)}`, {}],
    ['resolution=360', { resolution: 360 }],
    ['resolution=1080p', { resolution: 1080 }],
    ['resolution=AUTO', { resolution: 'auto' }],
    ['resolution=0', {}],
    ['resolution=large', {}],
    ['codec=h264', { codec: 'h264' }],
    ['codec=toString', {}],
    ['simulcast', { simulcast: true }],
    ['simulcast=false', { simulcast: false }],
    ['simulcast=auto', {}],
    ['videoTargetBitrate=1500', { maxBitrate: 1_500_000 }],
    ['videoTargetBitrate=-1', {}],
    ['videoTargetBitrate=fast', {}],
  ] as const) {
    it(`read ${query}`, () => assert.deepEqual(read(`&${query}`), { ...DEFAULTS, ...change }));
  }

  it('can be read from any address', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), (query) => {
        const options = read(`&${query}`);
        assert.deepEqual(Object.keys(options), Object.keys(DEFAULTS));
        assert.ok(options.maxBitrate >= 0 && options.sourceId.length <= 128);
      }),
    );
  });
});
