import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ClusterNode } from '../../../server/cluster/cluster-node.js';
import { DatabaseClock } from '../../../server/cluster/database-clock.js';
import { EXPIRES_AFTER_MS, HEARTBEAT_MS, RETRY_MS, STOPS_AFTER_MS } from '../../../server/cluster/lease-times.js';

const STEP_MS = 50;

describe('a node whose database does not answer', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** A node that has joined. */
  const opened = async () => {
    const database = { answers: true, isSlowUntil: Promise.resolve() };
    const answer = async <Value>(value: Value): Promise<Value> => {
      await database.isSlowUntil;
      if (database.answers) return value;
      throw new Error('the database does not answer');
    };
    let now = 0;
    const node = new ClusterNode({
      identity: { id: 'a', url: undefined },
      store: {
        join: () => answer({ databaseTime: now }),
        beat: () => answer({ databaseTime: now, isRenewed: true, nodes: [] }),
        leave: () => answer(undefined),
      },
      clock: new DatabaseClock(() => now),
      monotonicNow: () => now,
    });
    const events: string[] = [];
    const renewed: number[] = [];
    node.on('renewed', (until) => renewed.push(until));
    for (const name of ['lapsed', 'freed', 'returned'] as const) node.on(name, () => events.push(`${name} at ${now}`));
    await node.start();
    const pass = async (ms: number) => {
      for (const end = now + ms; now < end;) {
        mock.timers.tick(STEP_MS);
        now += STEP_MS;
        // The answers of the database arrive.
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { node, database, events, renewed, pass };
  };
  const names = (events: readonly string[]) => events.map((event) => event.split(' ')[0]);

  it('says when others can have its streams, a while after it may not publish any more', async () => {
    const { database, events, pass } = await opened();
    database.answers = false;
    await pass(EXPIRES_AFTER_MS - 100);
    assert.deepEqual(names(events), ['lapsed']);
    await pass(2_000);
    assert.deepEqual(names(events), ['lapsed', 'freed']);
    await pass(60_000);
    assert.deepEqual(names(events), ['lapsed', 'freed']);
  });

  it('does not say so if the database answers before', async () => {
    const { database, events, pass } = await opened();
    database.answers = false;
    await pass(STOPS_AFTER_MS + 1_000);
    database.answers = true;
    await pass(60_000);
    assert.deepEqual(names(events), ['lapsed', 'returned']);
  });

  it('does not say so when it has left', async () => {
    const { node, database, events, pass } = await opened();
    database.answers = false;
    await pass(STOPS_AFTER_MS + 1_000);
    await node.close();
    await pass(60_000);
    assert.deepEqual(names(events), ['lapsed']);
  });

  it('counts the time in which it may publish from when it asked, however late the answer is', async () => {
    const { database, renewed, pass } = await opened();
    /** @returns when it asked for what is answered after this time, as it says itself */
    const askedAt = async (answeredAfterMs: number) => {
      const slow = Promise.withResolvers<void>();
      database.isSlowUntil = slow.promise;
      await pass(answeredAfterMs);
      const { length } = renewed;
      slow.resolve();
      await pass(STEP_MS);
      return renewed[length]! - STOPS_AFTER_MS;
    };
    const beaten = await askedAt(HEARTBEAT_MS + 1_500);
    assert.ok(beaten <= HEARTBEAT_MS, `it sent the heartbeat at ${beaten}`);
    database.answers = false;
    await pass(10_000);
    database.answers = true;
    const joined = await askedAt(RETRY_MS + 1_500);
    const now = HEARTBEAT_MS + 1_500 + STEP_MS + 10_000;
    assert.ok(joined <= now + RETRY_MS, `it asked to join at ${joined}`);
  });

  it('does not lapse when the last answer before it leaves comes too late', async () => {
    const { node, database, events, pass } = await opened();
    const slow = Promise.withResolvers<void>();
    database.isSlowUntil = slow.promise;
    await pass(HEARTBEAT_MS + 100);
    const closed = node.close();
    await pass(60_000);
    slow.resolve();
    await closed;
    await pass(60_000);
    assert.deepEqual(events, []);
    assert.deepEqual([node.epoch, node.until], [undefined, undefined]);
  });
});
