import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { followFaults } from '../../../server/faults/fault.js';
import { FanOut } from '../../../server/streams/fan-out.js';
import type { StreamEvent } from '../../../server/streams/stream-event.js';
import { aViewer } from '../../support/member.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const countEvent = (viewercount: number): StreamEvent => ({
  seq: viewercount,
  name: 'viewercount',
  data: { streamId: streamIdOf('acme', 'main'), viewercount, viewerCount: viewercount },
});

const activeEvent = (seq: number): StreamEvent => ({
  seq,
  name: 'active',
  data: { streamId: streamIdOf('acme', 'main'), sourceId: null, tracks: [] },
});

const createViewers = (size: number) => Array.from({ length: size }, () => aViewer());

async function allReceived(viewers: ReturnType<typeof createViewers>, events: number): Promise<void> {
  while (viewers.some(({ received }) => received.length < events)) await nextTurn();
}

describe('FanOut', () => {
  it('sends to a few viewers at once', () => {
    const viewers = createViewers(3);
    new FanOut().send(viewers, activeEvent(3));
    assert.deepEqual(
      viewers.map(({ received }) => received),
      viewers.map(() => [activeEvent(3)]),
    );
  });

  it('sends to many viewers in slices of 500, with other work in between', async () => {
    const viewers = createViewers(1200);
    new FanOut().send(viewers, activeEvent(1));
    assert.equal(viewers.filter(({ received }) => received.length > 0).length, 500);
    await allReceived(viewers, 1);
  });

  it('sends to the other members when sending to one of them throws', () => {
    const [one, broken, other] = createViewers(3);
    broken!.send = () => assert.fail('sending fails');
    const sessions: unknown[] = [];
    const unfollow = followFaults(({ of }) => sessions.push(of.session));
    new FanOut().send([one!, broken!, other!], activeEvent(1));
    unfollow();
    assert.deepEqual([one!.received.length, other!.received.length, sessions], [1, 1, [broken!.id]]);
  });

  it('keeps the order of events for every viewer', async () => {
    const viewers = createViewers(1200);
    const fanOut = new FanOut();
    fanOut.send(viewers, activeEvent(1));
    fanOut.send(viewers, activeEvent(2));
    await allReceived(viewers, 2);
    for (const { received } of viewers) assert.deepEqual(received, [activeEvent(1), activeEvent(2)]);
  });

  it('sends an event before a measurement that is under way, and numbers the rest of the measurement anew', async () => {
    const viewers = createViewers(1200);
    const fanOut = new FanOut();
    let seq = 0;
    fanOut.sendLatest(viewers, 'viewercount', () => countEvent(++seq));
    fanOut.send(viewers, activeEvent(++seq));
    await allReceived(viewers, 2);
    for (const { received } of viewers.slice(0, 500)) assert.deepEqual(received, [countEvent(1), activeEvent(2)]);
    for (const { received } of viewers.slice(500)) assert.deepEqual(received, [activeEvent(2), countEvent(3)]);
  });

  it('sends a waiting measurement once, with its value when its turn comes', async () => {
    const viewers = createViewers(1200);
    const fanOut = new FanOut();
    let watching = 0;
    fanOut.send(viewers, activeEvent(1));
    for (watching = 2; watching < 5; watching++) {
      fanOut.sendLatest(viewers, 'viewercount', () => countEvent(watching));
    }
    await allReceived(viewers, 2);
    for (const { received } of viewers) assert.deepEqual(received, [activeEvent(1), countEvent(5)]);
  });

  it('sends a measurement again that changed while it was being sent', async () => {
    const viewers = createViewers(1200);
    const fanOut = new FanOut();
    for (const seq of [1, 2]) fanOut.sendLatest(viewers, 'viewercount', () => countEvent(seq));
    await allReceived(viewers, 2);
    for (const { received } of viewers) assert.deepEqual(received, [countEvent(1), countEvent(2)]);
  });
});
