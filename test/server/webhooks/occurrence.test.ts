import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodeLost } from '../../../server/webhooks/occurrence.js';

describe('the event of a lost node', () => {
  it('lists 100 streams and counts the others', () => {
    const names = Array.from({ length: 103 }, (_, index) => `stream ${index}`);
    const node = { nodeId: 'ab', url: null, lastSeenOn: 1_000 };
    const { event } = nodeLost({ accountId: 'acme', time: 9_000 }, node, names);
    assert.ok(event.type === 'node.lost');
    assert.deepEqual([event.data.streams.length, event.data.notListed], [100, 3]);
    assert.deepEqual(event.data.streams.at(-1), { streamName: 'stream 99', streamId: 'acme/stream 99' });
  });
});
