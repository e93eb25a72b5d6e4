import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FanOut } from '../../../server/streams/fan-out.js';
import type { StreamNews } from '../../../server/streams/stream-event.js';
import { aViewer } from '../../support/member.js';

const count = (viewercount: number): StreamNews => ({
  seq: viewercount,
  name: 'viewercount',
  data: { streamId: 'acme/main', viewercount, viewerCount: viewercount },
});

const crowd = (size: number) => Array.from({ length: size }, () => aViewer());

async function settled(viewers: ReturnType<typeof crowd>, events: number): Promise<void> {
  while (viewers.some(({ heard }) => heard.length < events)) await nextTurn();
}

describe('FanOut', () => {
  it('tells a small crowd at once', () => {
    const viewers = crowd(3);
    new FanOut().tell(viewers, count(3));
    assert.deepEqual(
      viewers.map(({ heard }) => heard),
      viewers.map(() => [count(3)]),
    );
  });

  it('lets others work while it tells a large crowd', async () => {
    const viewers = crowd(1200);
    new FanOut().tell(viewers, count(1));
    assert.equal(viewers.filter(({ heard }) => heard.length > 0).length, 500);
    await settled(viewers, 1);
  });

  it('keeps the order of events for everybody', async () => {
    const viewers = crowd(1200);
    const fanOut = new FanOut();
    fanOut.tell(viewers, count(1));
    fanOut.tell(viewers, count(2));
    await settled(viewers, 2);
    for (const { heard } of viewers) assert.deepEqual(heard, [count(1), count(2)]);
  });
});
