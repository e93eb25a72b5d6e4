import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { batchesOf, ClusterChannel, MAX_WAITING, type Notifications } from '../../../server/cluster/cluster-channel.js';
import type { ClusterMessage } from '../../../server/cluster/cluster-message.js';
import { followFaults } from '../../../server/faults/fault.js';
import { anyCharacter } from '../../support/any-character.js';
import { until } from '../../support/media/until.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const asJson = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));

const MAX_NOTIFICATION_BYTES = 8_000;

/** Nodes that hear each other, as over a database. */
function aBus() {
  const receivers: ((payload: string) => void)[] = [];
  const sent: string[] = [];
  /** How many notifications each statement sends. */
  const sending: number[] = [];
  const bus = { isAway: false, answers: Promise.resolve() };
  const join = async (nodeId: string, onGap?: () => void) => {
    const received: [string, ClusterMessage][] = [];
    const notifications: Notifications = {
      start: async (listener) => void receivers.push((payload) => listener.received(payload)),
      close: async () => {},
    };
    const store = {
      notify: async (payloads: readonly string[]) => {
        if (bus.isAway) throw new Error('the database does not answer');
        sending.push(payloads.length);
        await bus.answers;
        for (const payload of payloads) {
          sent.push(payload);
          for (const receive of receivers) receive(payload);
        }
      },
    };
    const channel = new ClusterChannel({ nodeId, notifications, store, ...(onGap && { onGap }) });
    await channel.start({
      streamChanged: ({ streamName }) => {
        if (streamName === 'faulty') throw new Error('the handler of a stream failed');
      },
      nodesChanged() {},
      message: (from, message) => received.push([from, message]),
      restored() {},
      lost() {},
    });
    return { channel, received };
  };
  const notify = (...payloads: string[]) => {
    for (const payload of payloads) for (const receive of receivers) receive(payload);
  };
  return Object.assign(bus, { join, sent, sending, notify });
}

describe('ClusterChannel', () => {
  it('brings messages to the other nodes, in order, and not back', async () => {
    const bus = aBus();
    const [a, b] = [await bus.join('a'), await bus.join('b')];
    for (let id = 0; id < 500; id += 1) a.channel.send({ type: 'viewing-ended', id });
    await until('they arrived', () => b.received.length === 500);
    assert.deepEqual(
      b.received.map(([from, message]) => [from, 'id' in message && message.id]),
      Array.from({ length: 500 }, (_, id) => ['a', id]),
    );
    assert.equal(a.received.length, 0);
    assert.ok(bus.sent.length < 10, `${bus.sent.length} notifications`);
    for (const payload of bus.sent) assert.ok(Buffer.byteLength(payload) < MAX_NOTIFICATION_BYTES);
  });

  it('ignores what it does not know, and brings what is beside it', async () => {
    const faults: string[] = [];
    const unfollow = followFaults(({ part }) => faults.push(part));
    const bus = aBus();
    const { received } = await bus.join('a');
    const known: ClusterMessage = { type: 'viewing-ended', id: 1 };
    bus.notify(
      'x',
      JSON.stringify(['messages', 'b', [{ type: 'of-a-later-version' }, known, { type: 'viewing-ended' }]]),
      '["stream","main","faulty"]',
      JSON.stringify(['messages', 'b', [{ ...known, more: 'of a later version' }], 'more of a later version']),
    );
    unfollow();
    assert.deepEqual(received, [
      ['b', known],
      ['b', known],
    ]);
    assert.deepEqual(faults, ['cluster_message', 'cluster_message', 'cluster_message', 'cluster']);
  });

  it('ignores what arrives after something that was sent later', async () => {
    const bus = aBus();
    const { received } = await bus.join('a');
    const viewers = (count: number) => ({ type: 'viewers', streamId: streamIdOf('main', 'main'), viewers: count });
    for (const [count, order] of [
      [1, 1],
      [3, 3],
      [2, 2],
      [3, 3],
      [4, undefined],
    ])
      bus.notify(JSON.stringify(['messages', 'b', [viewers(count!)], order].filter((part) => part !== undefined)));
    assert.deepEqual(
      received.map(([, message]) => 'viewers' in message && message.viewers),
      [1, 3, 4],
    );
  });

  it('knows the newest number of a node until it is told that nothing more comes from there', async () => {
    const bus = aBus();
    const { channel, received } = await bus.join('a');
    const from = (nodeId: string, order: number) =>
      bus.notify(JSON.stringify(['messages', nodeId, [{ type: 'stopping' }], order]));
    from('b', 9);
    from('c', 9);
    channel.keepOnly(new Set(['c']));
    from('b', 1);
    from('c', 1);
    assert.deepEqual(
      received.map(([nodeId]) => nodeId),
      ['b', 'c', 'b'],
    );
  });

  it('reads any text without an error of its own', async () => {
    const faults: string[] = [];
    const unfollow = followFaults(({ part }) => faults.push(part));
    const bus = aBus();
    await bus.join('a');
    const types = ['hello', 'viewing', 'viewers', 'failed-attempt', 'stop-session', 'account-sessions', 'x'];
    const message = fc.record({ type: fc.constantFrom(...types), id: fc.anything(), viewing: fc.anything() });
    const payload = fc.oneof(
      fc.string(),
      fc.json(),
      fc.tuple(fc.constantFrom('stream', 'node', 'messages', 'x'), fc.anything(), fc.anything()).map(asJson),
      fc.tuple(fc.constant('messages'), fc.string(), fc.array(fc.oneof(message, fc.anything()))).map(asJson),
    );
    fc.assert(fc.property(payload, (text) => bus.notify(text)));
    unfollow();
    assert.deepEqual(new Set(faults), new Set(['cluster_message']));
  });

  it('drops what cannot be sent, and says so before it sends again', async () => {
    const bus = aBus();
    let gaps = 0;
    const a = await bus.join('a', () => {
      gaps += 1;
      a.channel.send({ type: 'viewings-reset' });
    });
    const b = await bus.join('b');
    bus.isAway = true;
    a.channel.send({ type: 'viewing-ended', id: 1 });
    await until('it failed', () => gaps > 0);
    bus.isAway = false;
    await until('it caught up', () => b.received.length > 0);
    assert.deepEqual(b.received[0], ['a', { type: 'viewings-reset' }]);
  });

  it('sends again what nothing replaces that is sent later', async () => {
    const bus = aBus();
    let gaps = 0;
    const a = await bus.join('a', () => (gaps += 1));
    const b = await bus.join('b');
    bus.isAway = true;
    a.channel.send({ type: 'hello' });
    a.channel.send({ type: 'viewing-ended', id: 1 });
    await until('it failed', () => gaps > 0);
    a.channel.send({ type: 'stop-session', streamId: streamIdOf('main', 'main'), id: 'session' });
    bus.isAway = false;
    await until('it caught up', () => b.received.length > 1);
    assert.deepEqual(b.received, [
      ['a', { type: 'hello' }],
      ['a', { type: 'stop-session', streamId: 'main/main', id: 'session' }],
    ]);
  });

  it('says that it dropped messages when more wait than it keeps, though the database answers', async () => {
    const bus = aBus();
    let gaps = 0;
    const a = await bus.join('a', () => {
      gaps += 1;
      a.channel.send({ type: 'viewings-reset' });
    });
    const b = await bus.join('b');
    const { promise, resolve } = Promise.withResolvers<void>();
    bus.answers = promise;
    a.channel.send({ type: 'viewing-ended', id: 0 });
    await until('it is on its way', () => bus.sending.length === 1);
    for (let id = 1; id <= MAX_WAITING + 1; id += 1) a.channel.send({ type: 'viewing-ended', id });
    resolve();
    await until('it caught up', () => b.received.length > 1);
    assert.deepEqual([gaps, b.received[1]], [1, ['a', { type: 'viewings-reset' }]]);
  });

  it('never makes a batch larger than the limit, and loses nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 60 })), (texts) => {
        const batches = batchesOf(texts, 300);
        assert.deepEqual(batches.flat(), texts);
        for (const batch of batches) {
          const bytes = batch.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
          assert.ok(bytes <= 300 || batch.length === 1);
        }
      }),
    );
  });
});
