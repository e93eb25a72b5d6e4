import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { openDatabase } from '../../../../server/store/database.js';
import { dueDeliveries } from '../../../../server/store/tables/due-deliveries.js';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';

const NOW = 100;
const ACCOUNTS = ['a', 'a', 'a', 'b', 'c'];

interface Waiting {
  readonly id: number;
  readonly webhook: number;
  readonly order: string;
  readonly dueOn: number;
}

const delivery = fc.record({
  webhook: fc.nat(ACCOUNTS.length - 1),
  order: fc.constantFrom('x', 'y', 'z'),
  dueOn: fc.integer({ min: NOW - 5, max: NOW + 3 }),
});
const shares = fc.record({
  most: fc.integer({ min: 1, max: 12 }),
  mostOfOne: fc.integer({ min: 1, max: 3 }),
  busy: fc.subarray([1, 4]),
  mostOfAccount: fc.integer({ min: 0, max: 6 }),
  moreOf: fc.constantFrom(new Map<string, number>(), new Map([['a', 0]]), new Map([['b', 1]])),
});

type Share = typeof shares extends fc.Arbitrary<infer Value> ? Value : never;

const byTurn = (one: Waiting & { turn: number }, other: Waiting & { turn: number }) =>
  one.turn - other.turn || one.dueOn - other.dueOn || one.id - other.id;
const withTurns = (all: readonly Waiting[]) => all.map((one, turn) => ({ ...one, turn }));

/** The same by a look at everything. */
function expected(waiting: readonly Waiting[], share: Share): number[] {
  const isFirst = ({ id, webhook, order }: Waiting) =>
    !waiting.some((other) => other.webhook === webhook && other.order === order && other.id < id);
  const ofWebhooks = ACCOUNTS.flatMap((_account, webhook) => {
    const due = waiting.filter((one) => one.webhook === webhook && one.dueOn <= NOW && isFirst(one));
    if (share.busy.includes(webhook + 1)) return [];
    return withTurns(due.toSorted((one, other) => one.dueOn - other.dueOn || one.id - other.id)).slice(
      0,
      share.mostOfOne,
    );
  });
  const accounts = [...new Set(ACCOUNTS)].flatMap((account) => {
    const due = ofWebhooks.filter(({ webhook }) => ACCOUNTS[webhook] === account).toSorted(byTurn);
    return withTurns(due).slice(0, share.moreOf.get(account) ?? share.mostOfAccount);
  });
  return accounts
    .toSorted(byTurn)
    .slice(0, share.most)
    .map(({ id }) => id);
}

describe('the deliveries to claim', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const open = async () => {
    const db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    for (const account of new Set(ACCOUNTS)) await new SqlAccountStore(db).create(account);
    for (const account of ACCOUNTS) {
      await sql`insert into webhook (account_id, url, description, events, key_sealed, created_on, updated_on)
        values (${account}, '', '', '[]', '', 1, 1)`.execute(db);
    }
    const write = (webhook: number, order: string, dueOn: number) =>
      sql<{ id: number }>`insert into webhook_delivery
        (webhook_id, event_id, type, order_key, payload, state, created_on, due_on, attempts)
        values (${webhook + 1}, 'e', 't', ${order}, '{}', 'waiting', 1, ${dueOn}, 0) returning id`.execute(db);
    return { db, write };
  };
  const request = { claim: 'c', now: NOW, until: 9_999 };

  it('are the first of their order that are due, of webhooks and accounts in turn', async () => {
    const { db, write } = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { maxLength: 30 }), shares, async (written, share) => {
        await db.deleteFrom('webhook_delivery').execute();
        const waiting: Waiting[] = [];
        for (const one of written) {
          const { rows } = await write(one.webhook, one.order, one.dueOn);
          waiting.push({ ...one, id: rows[0]!.id });
        }
        const found = await db.transaction().execute((trx) => dueDeliveries(trx, { ...request, ...share }));
        assert.deepEqual(found, expected(waiting, share));
      }),
      { numRuns: 60 },
    );
  });

  it('are found where much waits behind a failed one, and where many wait for their next attempt', async () => {
    const { db, write } = await open();
    const everything = { most: 9, mostOfOne: 9, busy: [], mostOfAccount: 9, moreOf: new Map() };
    const found = async () =>
      (await db.transaction().execute((trx) => dueDeliveries(trx, { ...request, ...everything }))).length;
    await write(0, 'failed', NOW + 1);
    for (let count = 0; count < 300; count += 1) await write(0, 'failed', NOW - 50);
    await write(0, 'another stream', NOW);
    assert.equal(await found(), 1);
    for (let count = 0; count < 300; count += 1) await write(3, `a ${count}`, NOW + 1);
    await write(3, 'z', NOW);
    assert.equal(await found(), 2);
  });
});
