import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MediaError } from '../../../server/media/engine/media-error.js';
import { UpstreamCalls } from '../../../server/upstream/upstream-calls.js';
import type { UpstreamTarget } from '../../../server/upstream/upstream.js';

describe('calls to upstreams', () => {
  it('are made for an account while the upstream of another one is slow to answer all its viewers', async () => {
    const asked: string[] = [];
    const calls = new UpstreamCalls({
      client: {
        open(_call, target) {
          asked.push(target.addresses.view.host);
          return target.addresses.view.host === 'slow.example' ? new Promise(() => {}) : Promise.resolve('not_live');
        },
      },
      monotonicNow: () => 0,
      log: { warn: () => assert.fail('nothing fails') },
    });
    const open = (key: string, host: string) => {
      const address = new URL(`https://${host}/whep/one`);
      const target: UpstreamTarget = {
        upstream: { software: 'mediamtx', tokens: { publish: null, view: null, status: null } },
        addresses: { publish: address, view: address, status: address },
      };
      return calls.open('view', { key, target }, 'v=0', new AbortController().signal);
    };
    for (let viewer = 0; viewer < 200; viewer += 1) void open(`slow/${viewer}`, 'slow.example');
    assert.equal(await open('quick/one', 'quick.example'), 'not_live');
    assert.deepEqual(asked.slice(0, 3), Array(3).fill('slow.example'));
  });

  it('pause for longer with each failure in a row, and for a second again after some minutes', async () => {
    let now = 0;
    let asked = 0;
    const calls = new UpstreamCalls({
      client: {
        async open() {
          asked += 1;
          throw new MediaError('engine_unavailable', 'the upstream does not answer');
        },
      },
      monotonicNow: () => now,
      log: { warn: () => {} },
    });
    const address = new URL('https://away.example/whep/one');
    const target: UpstreamTarget = {
      upstream: { software: 'mediamtx', tokens: { publish: null, view: null, status: null } },
      addresses: { publish: address, view: address, status: address },
    };
    const askedAt = async (time: number): Promise<boolean> => {
      now = time;
      const before = asked;
      await assert.rejects(calls.open('view', { key: 'a/b', target }, 'v=0', new AbortController().signal));
      return asked > before;
    };
    const times = [0, 999, 1_000, 2_999, 3_000, 6_999, 7_000, 1_000_000, 1_001_000];
    const asking: boolean[] = [];
    for (const time of times) asking.push(await askedAt(time));
    assert.deepEqual(asking, [true, false, true, false, true, false, true, true, true]);
  });
});
