import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
});
