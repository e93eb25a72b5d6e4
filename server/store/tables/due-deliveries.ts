import { sql, type Transaction } from 'kysely';
import type { ClaimRequest } from '../../webhooks/webhook-store.js';
import type { Schema } from '../schema.js';
import { WAITING } from './sql-webhook-outbox.js';

/** The webhooks that are looked at for one claim. */
const MOST_WEBHOOKS = 64;
/**
 * The deliveries of a webhook that are looked at for one claim, in two orders. It may have ten thousand that wait, and a
 * claim is made every second.
 */
const MOST_LOOKED_AT = 100;

/** The deliveries to claim: see `DeliveryStore.claim`. What a receiver has let pile up hardly costs more. */
export async function dueDeliveries(trx: Transaction<Schema>, request: ClaimRequest): Promise<readonly number[]> {
  const due = [];
  for (const { webhookId, accountId } of await webhooksToCall(trx, request)) {
    const heads = await headsOf(trx, webhookId, request);
    due.push(...heads.map(({ id, due_on }, turn) => ({ id: Number(id), dueOn: Number(due_on), accountId, turn })));
  }
  const { most, mostOfAccount, moreOf } = request;
  // Of an account those of its webhooks in turn, and of all those of the accounts.
  const byAccount = Map.groupBy(due.toSorted(inTurn), ({ accountId }) => accountId);
  return [...byAccount]
    .flatMap(([accountId, ofAccount]) => ofAccount.slice(0, moreOf.get(accountId) ?? mostOfAccount).map(withTurn))
    .toSorted(inTurn)
    .slice(0, most)
    .map(({ id }) => id);
}

interface Turn {
  readonly id: number;
  readonly dueOn: number;
  readonly turn: number;
}

const withTurn = (delivery: Turn, turn: number): Turn => ({ ...delivery, turn });

const inTurn = (one: Turn, other: Turn): number =>
  one.turn - other.turn || one.dueOn - other.dueOn || one.id - other.id;

/** Webhooks with something that is due: of all accounts in turn, and of an account another part each time. */
async function webhooksToCall(trx: Transaction<Schema>, { now, busy, moreOf }: ClaimRequest) {
  const rows = await trx
    .selectFrom('webhook')
    .select(['id', 'account_id'])
    .where('disabled_reason', 'is', null)
    .$if(busy.length > 0, (query) => query.where('id', 'not in', busy))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_delivery')
          .select('webhook_delivery.id')
          .whereRef('webhook_id', '=', 'webhook.id')
          .where('state', '=', WAITING)
          .where('due_on', '<=', now),
      ),
    )
    .execute();
  const byAccount = Map.groupBy(
    rows.filter(({ account_id }) => moreOf.get(account_id) !== 0),
    ({ account_id }) => account_id,
  );
  const turns = [...byAccount].flatMap(([accountId, webhooks]) => {
    const first = Math.floor(Math.random() * webhooks.length);
    return webhooks.map(({ id }, index) => {
      return { webhookId: Number(id), accountId, turn: (index + webhooks.length - first) % webhooks.length };
    });
  });
  return turns.toSorted((one, other) => one.turn - other.turn).slice(0, MOST_WEBHOOKS);
}

/**
 * The deliveries of a webhook that are due, and the first that waits in their order. They are searched among those that
 * have been due for the longest time, and among the first of each order: of many streams, or of much for one stream, one
 * of the two finds them.
 */
async function headsOf(trx: Transaction<Schema>, webhookId: number, { now, mostOfOne }: ClaimRequest) {
  const waits = sql`webhook_id = ${webhookId} and state = 'waiting'`;
  const { rows } = await sql<{ id: number; due_on: number }>`
    with recursive orders (order_key, place) as (
      select min(order_key), 1 from webhook_delivery where ${waits}
      union all
      select (select min(order_key) from webhook_delivery where ${waits} and order_key > orders.order_key), place + 1
      from orders where orders.order_key is not null and place < ${MOST_LOOKED_AT}
    ),
    looked_at (id) as (
      select (select min(id) from webhook_delivery where ${waits} and order_key = orders.order_key) from orders
      union
      select id from (
        select id from webhook_delivery where ${waits} and due_on <= ${now} order by due_on, id limit ${MOST_LOOKED_AT}
      ) as oldest
    )
    select due.id, due.due_on from webhook_delivery as due
    where due.id in (select id from looked_at where id is not null) and due.state = 'waiting' and due.due_on <= ${now}
      and not exists (
        select 1 from webhook_delivery as earlier
        where earlier.webhook_id = due.webhook_id and earlier.order_key = due.order_key
          and earlier.state = 'waiting' and earlier.id < due.id
      )
    order by due.due_on, due.id limit ${mostOfOne}`.execute(trx);
  return rows;
}
