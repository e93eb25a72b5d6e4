import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ClusterNode } from '../../../server/cluster/cluster-node.js';
import { DatabaseClock } from '../../../server/cluster/database-clock.js';
import { EXPIRES_AFTER_MS, HEARTBEAT_MS, RETRY_MS, STOPS_AFTER_MS } from '../../../server/cluster/lease-times.js';

const STEP_MS = 50;
const NODES = [{ id: 'a', url: undefined, epoch: 1, isAlive: true }];

describe('a node', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** A node that has joined. */
  const opened = async ({ ahead = 0, failures = 0 } = {}) => {
    const database = { answers: true, isSlowUntil: Promise.resolve(), isRenewed: true, ahead };
    const answer = async <Value>(value: Value): Promise<Value> => {
      await database.isSlowUntil;
      if (database.answers) return value;
      throw new Error('the database does not answer');
    };
    let now = 0;
    const asked: string[] = [];
    const clock = new DatabaseClock(() => now);
    const node = new ClusterNode({
      identity: { id: 'a', url: undefined },
      store: {
        join({ epoch }) {
          asked.push(`join ${epoch} at ${now}`);
          if (asked.length <= failures) return Promise.reject(new Error('the database is slow'));
          return answer({ databaseTime: now + database.ahead });
        },
        beat({ epoch }) {
          asked.push(`beat ${epoch} at ${now}`);
          return answer({ databaseTime: now + database.ahead, isRenewed: database.isRenewed, nodes: NODES });
        },
        leave: () => answer(undefined),
      },
      clock,
      monotonicNow: () => now,
    });
    const events: string[] = [];
    const renewed: number[] = [];
    node.on('renewed', (until) => renewed.push(until));
    for (const name of ['lapsed', 'freed', 'returned'] as const) node.on(name, () => events.push(`${name} at ${now}`));
    const pass = async (ms: number) => {
      for (const end = now + ms; now < end;) {
        mock.timers.tick(STEP_MS);
        now += STEP_MS;
        // The answers of the database arrive.
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const started = node.start();
    await Promise.all([started, failures > 0 && pass(2_000)]);
    return { node, clock, database, asked, events, renewed, pass };
  };
  const names = (events: readonly string[]) => events.map((event) => event.split(' ')[0]);

  it('is in for as long as its heartbeats are answered, which it sends every two seconds until it leaves', async () => {
    const { node, asked, events, pass } = await opened();
    assert.deepEqual([node.epoch, node.until, node.nodes], [{ id: 'a', epoch: 1 }, STOPS_AFTER_MS, NODES]);
    await pass(3 * HEARTBEAT_MS);
    const isAt = (call: string, time: number) => Math.abs(Number(call.split(' ').at(-1)) - time) <= 4 * STEP_MS;
    assert.deepEqual(asked.slice(0, 2), ['join 1 at 0', 'beat 1 at 0']);
    assert.ok(
      asked.slice(2).every((call, index) => isAt(call, (index + 1) * HEARTBEAT_MS)),
      String(asked),
    );
    const { length } = asked;
    await node.close();
    await pass(60_000);
    assert.deepEqual([asked.length, events], [length, []]);
  });

  it('is not given up when the database is slow as it starts, but when it is for long', async () => {
    const { node, asked } = await opened({ failures: 3 });
    assert.deepEqual(names(asked), ['join', 'join', 'join', 'join', 'beat']);
    assert.equal(node.epoch?.epoch, 4);
    await assert.rejects(opened({ failures: 4 }), { message: 'the database is slow' });
  });

  it('has the time of the database, which it reads as it joins and with each heartbeat', async () => {
    const { clock, database, pass } = await opened({ ahead: 5_000 });
    assert.equal(clock.offset, 5_000);
    database.ahead = 9_000;
    await pass(HEARTBEAT_MS + STEP_MS);
    assert.ok(Math.abs(clock.offset - 9_000) <= STEP_MS, `${clock.offset}`);
  });

  it('joins in a later epoch as soon as the database says that its leases have expired', async () => {
    const { node, database, asked, events, pass } = await opened();
    database.isRenewed = false;
    await pass(HEARTBEAT_MS);
    database.isRenewed = true;
    await pass(3 * STEP_MS);
    assert.deepEqual(node.epoch, { id: 'a', epoch: 2 });
    await pass(HEARTBEAT_MS);
    assert.deepEqual(names(events), ['lapsed', 'returned']);
    assert.deepEqual(
      asked.map((call) => call.split(' at')[0]),
      ['join 1', 'beat 1', 'beat 1', 'join 2', 'beat 2'],
    );
  });

  it('stops by itself while it waits for an answer', async () => {
    const { node, database, events, pass } = await opened();
    database.isSlowUntil = new Promise(() => {});
    await pass(60_000);
    const [lapsed = '', freed = '', ...others] = events;
    assert.deepEqual([names(events), others, node.until], [['lapsed', 'freed'], [], undefined]);
    const at = (event: string) => Number(event.split(' ').at(-1));
    assert.ok(at(lapsed) >= STOPS_AFTER_MS - STEP_MS && at(lapsed) <= STOPS_AFTER_MS + 2 * STEP_MS, lapsed);
    assert.ok(at(freed) >= EXPIRES_AFTER_MS && at(freed) <= EXPIRES_AFTER_MS + 2_000, freed);
  });

  it('says how long an answer took', async () => {
    const { node, database, pass } = await opened();
    const took: number[] = [];
    node.on('nodes', (_nodes, ms) => took.push(ms));
    const slow = Promise.withResolvers<void>();
    database.isSlowUntil = slow.promise;
    await pass(HEARTBEAT_MS + 1_000);
    slow.resolve();
    await pass(STEP_MS);
    assert.ok(took[0]! >= 1_000 && took[0]! <= 1_000 + 2 * STEP_MS, `${took[0]} ms`);
  });

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
    const { node, database, asked, events, pass } = await opened();
    const slow = Promise.withResolvers<void>();
    database.isSlowUntil = slow.promise;
    await pass(HEARTBEAT_MS + 100);
    const { length } = asked;
    node.on('nodes', () => events.push('nodes'));
    const closed = node.close();
    await pass(60_000);
    slow.resolve();
    await closed;
    await pass(60_000);
    assert.deepEqual([events, asked.length], [[], length]);
    assert.deepEqual([node.epoch, node.until], [undefined, undefined]);
  });
});
