import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { StreamError } from '../../../src/client/errors.js';
import { watchMediaPath } from '../../../src/client/connection/media-path.js';

/** A connection whose state the test sets. */
class Peer extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new';

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}

function watch(t: TestContext, renew: () => Promise<void> = async () => {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const peer = new Peer();
  const seen = { connected: 0, renewed: 0, lost: [] as string[] };
  const life = new AbortController();
  watchMediaPath(peer as Partial<RTCPeerConnection> as RTCPeerConnection, life.signal, {
    onConnected: () => seen.connected++,
    onLost: (error: StreamError) => seen.lost.push(error.code),
    renew: () => {
      seen.renewed++;
      return renew();
    },
  });
  return { peer, seen, life };
}

describe('watchMediaPath', () => {
  it('calls onConnected once', (t) => {
    const { peer, seen } = watch(t);
    peer.become('connecting');
    peer.become('connected');
    peer.become('disconnected');
    peer.become('connected');
    assert.deepEqual(seen, { connected: 1, renewed: 0, lost: [] });
  });

  it('reports a path that never connected as lost', (t) => {
    const { peer, seen } = watch(t);
    peer.become('failed');
    assert.deepEqual(seen, { connected: 0, renewed: 0, lost: ['media_lost'] });
  });

  it('renews the path after one second without a connection, and not earlier', (t) => {
    const { peer, seen } = watch(t);
    peer.become('connected');
    peer.become('disconnected');
    t.mock.timers.tick(999);
    assert.equal(seen.renewed, 0);
    t.mock.timers.tick(1);
    assert.equal(seen.renewed, 1);
    peer.become('connected');
    t.mock.timers.tick(60_000);
    assert.deepEqual(seen, { connected: 1, renewed: 1, lost: [] });
  });

  it('renews a failed path at once, and reports a loss if the new one does not connect within five seconds', (t) => {
    const { peer, seen } = watch(t);
    peer.become('connected');
    peer.become('failed');
    peer.become('connecting');
    t.mock.timers.tick(4_999);
    assert.deepEqual([seen.renewed, seen.lost], [1, []]);
    t.mock.timers.tick(1);
    assert.deepEqual([seen.renewed, seen.lost], [1, ['media_lost']]);
  });

  it('waits five seconds for the new path, from the answer on', async (t) => {
    const { peer, seen } = watch(t, () => new Promise((resolve) => setTimeout(resolve, 4_000)));
    peer.become('connected');
    peer.become('failed');
    t.mock.timers.tick(4_000);
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(4_999);
    assert.deepEqual(seen.lost, []);
    t.mock.timers.tick(1);
    assert.deepEqual(seen.lost, ['media_lost']);
  });

  it('reports a loss at once if the server refuses to renew', async (t) => {
    const { peer, seen } = watch(t, () => Promise.reject(new Error('unknown command')));
    peer.become('connected');
    peer.become('failed');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([seen.renewed, seen.lost], [1, ['media_lost']]);
  });

  it('renews the path each time it fails', (t) => {
    const { peer, seen } = watch(t);
    for (let time = 1; time <= 3; time++) {
      peer.become('connected');
      t.mock.timers.tick(5_000);
      peer.become('failed');
      assert.equal(seen.renewed, time);
    }
    assert.deepEqual(seen.lost, []);
  });

  it('does nothing after abort', (t) => {
    const { peer, seen, life } = watch(t);
    peer.become('connected');
    peer.become('disconnected');
    life.abort();
    t.mock.timers.tick(60_000);
    peer.become('failed');
    assert.deepEqual(seen, { connected: 1, renewed: 0, lost: [] });
  });
});
