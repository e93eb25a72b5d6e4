import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FanOut } from '../../../server/streams/fan-out.js';
import type { StreamEvent } from '../../../server/streams/stream-event.js';
import { aViewer } from '../../support/member.js';

const count = (viewercount: number): StreamEvent => ({
  seq: viewercount,
  name: 'viewercount',
  data: { streamId: 'acme/main', viewercount, viewerCount: viewercount },
});

const began = (seq: number): StreamEvent => ({
  seq,
  name: 'active',
  data: { streamId: 'acme/main', sourceId: null, tracks: [] },
});

const crowd = (size: number) => Array.from({ length: size }, () => aViewer());

async function settled(viewers: ReturnType<typeof crowd>, events: number): Promise<void> {
  while (viewers.some(({ heard }) => heard.length < events)) await nextTurn();
}

describe('FanOut', () => {
  it('tells a small crowd at once', () => {
    const viewers = crowd(3);
    new FanOut(assert.ifError).send(viewers, began(3));
    assert.deepEqual(
      viewers.map(({ heard }) => heard),
      viewers.map(() => [began(3)]),
    );
  });

  it('lets others work while it tells a large crowd', async () => {
    const viewers = crowd(1200);
    new FanOut(assert.ifError).send(viewers, began(1));
    assert.equal(viewers.filter(({ heard }) => heard.length > 0).length, 500);
    await settled(viewers, 1);
  });

  it('tells the others when one cannot be told', () => {
    const [one, broken, other] = crowd(3);
    broken!.tell = () => assert.fail('it cannot be told');
    const faults: unknown[] = [];
    new FanOut((error) => faults.push(error)).send([one!, broken!, other!], began(1));
    assert.deepEqual([one!.heard.length, other!.heard.length, faults.length], [1, 1, 1]);
  });

  it('keeps the order of events for everybody', async () => {
    const viewers = crowd(1200);
    const fanOut = new FanOut(assert.ifError);
    fanOut.send(viewers, began(1));
    fanOut.send(viewers, began(2));
    await settled(viewers, 2);
    for (const { heard } of viewers) assert.deepEqual(heard, [began(1), began(2)]);
  });

  it('lets an event overtake figures, which are then written anew for those who have not heard them', async () => {
    const viewers = crowd(1200);
    const fanOut = new FanOut(assert.ifError);
    let seq = 0;
    fanOut.sendLatest(viewers, 'viewercount', () => count(++seq));
    fanOut.send(viewers, began(++seq));
    await settled(viewers, 2);
    for (const { heard } of viewers.slice(0, 500)) assert.deepEqual(heard, [count(1), began(2)]);
    for (const { heard } of viewers.slice(500)) assert.deepEqual(heard, [began(2), count(3)]);
  });

  it('tells figures that wait once, with what is so when their turn comes', async () => {
    const viewers = crowd(1200);
    const fanOut = new FanOut(assert.ifError);
    let watching = 0;
    fanOut.send(viewers, began(1));
    for (watching = 2; watching < 5; watching++) {
      fanOut.sendLatest(viewers, 'viewercount', () => count(watching));
    }
    await settled(viewers, 2);
    for (const { heard } of viewers) assert.deepEqual(heard, [began(1), count(5)]);
  });

  it('tells figures again that changed while they were told', async () => {
    const viewers = crowd(1200);
    const fanOut = new FanOut(assert.ifError);
    for (const seq of [1, 2]) fanOut.sendLatest(viewers, 'viewercount', () => count(seq));
    await settled(viewers, 2);
    for (const { heard } of viewers) assert.deepEqual(heard, [count(1), count(2)]);
  });
});
