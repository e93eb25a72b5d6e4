import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ClusterMessage } from '../../../server/cluster/cluster-message.js';
import { StreamAudiences } from '../../../server/cluster/stream-audiences.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

describe('StreamAudiences', () => {
  let sent: ClusterMessage[];
  let changed: string[];
  let audiences: StreamAudiences;

  beforeEach(() => {
    sent = [];
    changed = [];
    audiences = new StreamAudiences((message) => sent.push(message));
    audiences.on('changed', (streamId) => changed.push(streamId));
  });

  it('tells the other nodes how many viewers a stream has here, each number once', () => {
    audiences.counted(streamIdOf('a', 's'), 2);
    audiences.counted(streamIdOf('a', 's'), 2);
    audiences.counted(streamIdOf('a', 's'), 0);
    assert.deepEqual(sent, [
      { type: 'viewers', streamId: 'a/s', viewers: 2 },
      { type: 'viewers', streamId: 'a/s', viewers: 0 },
    ]);
  });

  it('tells a node that missed messages everything', () => {
    audiences.counted(streamIdOf('a', 's'), 2);
    audiences.counted(streamIdOf('a', 't'), 1);
    audiences.counted(streamIdOf('a', 't'), 0);
    sent.length = 0;
    audiences.sendAll();
    assert.deepEqual(sent, [{ type: 'viewers-reset' }, { type: 'viewers', streamId: 'a/s', viewers: 2 }]);
  });

  it('sums what the other nodes say', () => {
    audiences.message('b', { type: 'viewers', streamId: streamIdOf('a', 's'), viewers: 2 });
    audiences.message('c', { type: 'viewers', streamId: streamIdOf('a', 's'), viewers: 3 });
    audiences.message('b', { type: 'viewers', streamId: streamIdOf('a', 's'), viewers: 1 });
    audiences.counted(streamIdOf('a', 's'), 7);
    assert.deepEqual([audiences.elsewhere(streamIdOf('a', 's')), audiences.elsewhere(streamIdOf('a', 't'))], [4, 0]);
    assert.deepEqual(changed, ['a/s', 'a/s', 'a/s']);
  });

  it('forgets a node that is lost, and what a node said before it begins anew', () => {
    audiences.message('b', { type: 'viewers', streamId: streamIdOf('a', 's'), viewers: 2 });
    audiences.message('c', { type: 'viewers', streamId: streamIdOf('a', 's'), viewers: 3 });
    audiences.keepOnly(new Set(['c']));
    assert.equal(audiences.elsewhere(streamIdOf('a', 's')), 3);
    audiences.message('c', { type: 'viewers-reset' });
    assert.equal(audiences.elsewhere(streamIdOf('a', 's')), 0);
    assert.deepEqual(changed.slice(2), ['a/s', 'a/s']);
  });
});
