import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import { drain } from '../../../server/sessions/drain.js';
import { Entrance } from '../../../server/sessions/entrance.js';
import { Sessions } from '../../../server/sessions/sessions.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aGrant } from '../../support/grant.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { sdpOffer } from '../../support/media/offer.js';
import { until } from '../../support/media/until.js';

const LONG = { withinMs: 60_000, signal: new AbortController().signal };

describe('a server that sends its clients to others', () => {
  const opened = () => {
    const engine: FakeEngine & EventEmitter<MediaEngineEvents> = new FakeEngine();
    const streams = new StreamRegistry(engine);
    const log = pino({ level: 'silent' });
    const admission = { recheck: () => ({ allowed: true }) as const };
    const sessions = new Sessions({ engine, streams, admission, refusals: { sourceInUse() {} }, log });
    const entrance = new Entrance();
    let count = 0;
    const client = () => {
      const told: string[] = [];
      return {
        told,
        send: ({ name }: { name: string }) => void told.push(name),
        stop: ({ code }: { code: string }) => void told.push(code),
      };
    };
    const grant = (role: 'Publish' | 'Subscribe', streamName: string) =>
      aGrant({ accountId: 'acme', role, tokenId: 1, streamName, sessionId: `session ${(count += 1)}` });
    const view = async (streamName = 'main') => {
      const { told, ...events } = client();
      const session = sessions.openViewer(grant('Subscribe', streamName), events);
      await session.view(sdpOffer());
      session.startEvents();
      return { session, told };
    };
    const publish = async (streamName = 'main') => {
      const { told, ...events } = client();
      const session = sessions.openPublisher({ ...grant('Publish', streamName), tokenId: 1 }, events);
      await session.publish(sdpOffer({ direction: 'sendonly' }));
      session.startEvents();
      engine.sendFrame(`acme/${streamName}`);
      return { session, told };
    };
    const run = (limits: Partial<typeof LONG> = {}) =>
      drain({ sessions, streams, entrance, announce: async () => {}, log, now: () => 5 }, { ...LONG, ...limits });
    return { sessions, streams, entrance, view, publish, run };
  };

  it('opens no new session', async () => {
    const { entrance, run } = opened();
    entrance.requireOpen();
    await run();
    assert.throws(() => entrance.requireOpen(), { status: 503, code: 'server_stopping' });
    assert.equal(entrance.shutSince, 5);
  });

  it('ends publishers at once, so that their names are free', async () => {
    const { publish, run } = opened();
    const { session, told } = await publish();
    await run();
    assert.ok(session.ended);
    assert.deepEqual(told.slice(-2), ['migrate', 'server_stopping']);
  });

  it('tells waiting viewers to migrate, and is done when they are gone', async () => {
    const { sessions, view, run } = opened();
    const leaving: string[] = [];
    sessions.on('leaving', ({ id }) => leaving.push(id));
    const { session, told } = await view();
    let isOver = false;
    const over = run().then(() => (isOver = true));
    await until('the viewer is told', () => told.includes('migrate'));
    assert.deepEqual([isOver, session.ended, leaving], [false, false, [session.id]]);
    session.end();
    await over;
  });

  it('tells many viewers in slices', async () => {
    const { view, run } = opened();
    const viewers: Awaited<ReturnType<typeof view>>[] = [];
    for (let index = 0; index < 500; index += 1) viewers.push(await view());
    const told = () => viewers.filter((viewer) => viewer.told.includes('migrate')).length;
    const over = run();
    await until('some are told', () => told() > 0);
    assert.ok(told() < viewers.length, 'not all together');
    await until('all are told', () => told() === viewers.length);
    for (const { session } of viewers) session.end();
    await over;
  });

  it('lets viewers of a stream that moves wait for it, and tells them when half of the time is over', async () => {
    const { publish, view, run } = opened();
    await publish('live');
    const waiting = await view('other');
    const watching = await view('live');
    const over = run({ withinMs: 400 });
    await until('those who wait are told', () => waiting.told.includes('migrate'));
    assert.ok(!watching.told.includes('migrate'));
    await until('the others are told', () => watching.told.includes('migrate'));
    await over;
  });

  it('tells nobody twice, and nobody who is gone', async () => {
    const { sessions, streams, publish, view, run } = opened();
    await publish();
    const [moved, gone, left] = [await view(), await view(), await view()];
    const over = run({ withinMs: 400 });
    await until('the stream has ended', () => moved.told.includes('inactive'));
    sessions.sendAway(moved.session, streams.migrateEvent(moved.session.streamId));
    gone.session.end();
    await until('the one who is left is told', () => left.told.includes('migrate'));
    await over;
    assert.deepEqual(
      [moved, gone].map(({ told }) => told.filter((name) => name === 'migrate').length),
      [1, 0],
    );
  });

  it('does not wait for viewers of streams that move when it is told to end', async () => {
    const { publish, view, run } = opened();
    await publish();
    const { told } = await view();
    const closing = new AbortController();
    const over = run({ signal: closing.signal });
    await until('the stream ends', () => told.includes('inactive'));
    closing.abort();
    await over;
    assert.ok(!told.includes('migrate'));
  });

  it('ends the wait when its time is over, or when it is told to', async () => {
    const { view, run } = opened();
    const { session } = await view();
    await run({ withinMs: 20 });
    const closing = new AbortController();
    const over = run({ signal: closing.signal });
    closing.abort();
    await over;
    assert.ok(!session.ended, 'close() ends it');
  });
});
