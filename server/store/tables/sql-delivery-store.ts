import { sql, type Selectable, type Transaction } from 'kysely';
import type { WebhookDeliveriesQuery } from '../../../src/wire/management/webhook.js';
import { payloadOf, type Occurrence } from '../../webhooks/occurrence.js';
import {
  MOST_ASKED_FOR,
  type CallConclusion,
  type CallReport,
  type ClaimedDelivery,
  type ClaimRequest,
  type Delivery,
  type DeliveryBacklog,
  type DeliveryPage,
  type DeliveryStore,
  type WebhookRef,
} from '../../webhooks/webhook-store.js';
import type { Database, Schema } from '../schema.js';
import type { WebhookDeliveryTable } from '../schema/webhook-tables.js';
import type { TokenSeal } from './sql-token-rows.js';
import { writeOccurrence } from './sql-webhook-outbox.js';
import { disableGone, openKeys } from './sql-webhook-store.js';

/** The order of a delivery that was asked for begins with this, and ends with its id. A colon comes after all digits. */
const ALONE = 'alone ';

export class SqlDeliveryStore implements DeliveryStore {
  readonly #db: Database;
  readonly #seal: Pick<TokenSeal, 'open'>;

  constructor(db: Database, seal: Pick<TokenSeal, 'open'>) {
    this.#db = db;
    this.#seal = seal;
  }

  async write(occurrences: readonly Occurrence[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const ofAccounts = await withAccounts(trx, occurrences);
      for (const occurrence of ofAccounts) await writeOccurrence(trx, occurrence);
    });
  }

  async writeFor(webhookId: number, occurrence: Occurrence): Promise<Delivery | 'full'> {
    const { accountId, eventId, time, event } = occurrence;
    const fields = { webhookId, eventId, type: event.type, payload: payloadOf(occurrence) };
    return await this.#writeAlone(accountId, fields, time);
  }

  async replay({ accountId, id }: WebhookRef, deliveryId: number, now: number): Promise<Delivery | 'full' | undefined> {
    const row = await this.#db
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('webhook_id', '=', id)
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    return row && (await this.#writeAlone(accountId, deliveryOf(row), now));
  }

  async #writeAlone(
    accountId: string,
    { webhookId, eventId, type, payload }: Pick<Delivery, 'webhookId' | 'eventId' | 'type' | 'payload'>,
    now: number,
  ): Promise<Delivery | 'full'> {
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the account on every database, so that nobody else takes the place that is counted.
      await trx.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
      const { waiting } = await trx
        .selectFrom('webhook_delivery')
        .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
        .where('webhook.account_id', '=', accountId)
        // Written out, because SQLite takes the index of what waits for a literal only.
        .where('state', '=', sql<'waiting'>`'waiting'`)
        .where('order_key', '>=', ALONE)
        .where('order_key', '<', `${ALONE}:`)
        .select((eb) => eb.fn.countAll().as('waiting'))
        .executeTakeFirstOrThrow();
      if (Number(waiting) >= MOST_ASKED_FOR) return 'full';
      const values = { webhook_id: webhookId, event_id: eventId, type, payload, created_on: now, due_on: now };
      const row = await trx
        .insertInto('webhook_delivery')
        .values({ ...values, order_key: ALONE, state: 'waiting', attempts: 0 })
        .returningAll()
        .executeTakeFirstOrThrow();
      const own = `${ALONE}${row.id}`;
      await trx.updateTable('webhook_delivery').set({ order_key: own }).where('id', '=', row.id).execute();
      return deliveryOf(row);
    });
  }

  async listDeliveries(webhookId: number, query: WebhookDeliveriesQuery): Promise<DeliveryPage> {
    const { page, itemsOnPage, state } = query;
    let chosen = this.#db.selectFrom('webhook_delivery').where('webhook_id', '=', webhookId);
    if (state !== undefined) chosen = chosen.where('state', '=', state);
    const rows = await chosen
      .selectAll()
      .orderBy('id', 'desc')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await chosen.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { deliveries: rows.map(deliveryOf), total: Number(total) };
  }

  async claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]> {
    const { claim, now, until, most, mostOfOne, busy } = request;
    const isFree = busy.length === 0 ? sql`1 = 1` : sql`due.webhook_id not in (${sql.join(busy)})`;
    const ranked = sql<number>`(select id from (
      select id, due_on, account_id, row_number() over (partition by account_id order by place, due_on, id) as turn from (
      select due.id, due.due_on, webhook.account_id,
        row_number() over (partition by due.webhook_id order by due.due_on, due.id) as place
      from webhook_delivery as due
      join webhook on webhook.id = due.webhook_id
      where due.state = 'waiting' and due.due_on <= ${now} and webhook.disabled_reason is null and ${isFree}
        and not exists (
          select 1 from webhook_delivery as earlier
          where earlier.webhook_id = due.webhook_id and earlier.order_key = due.order_key
            and earlier.state = 'waiting' and earlier.id < due.id
        )
      ) as of_webhook where place <= ${mostOfOne}
    ) as of_account where turn <= ${shareOfAccount(request)} order by turn, due_on, id limit ${most})`;
    // The conditions are repeated: after waiting for a row lock, PostgreSQL evaluates only the outer ones again.
    return await this.#db.transaction().execute(async (trx) => {
      const rows = await trx
        .updateTable('webhook_delivery')
        .set((eb) => ({ claim, due_on: until, attempts: eb('attempts', '+', 1) }))
        .where('id', 'in', ranked)
        .where('state', '=', 'waiting')
        .where('due_on', '<=', now)
        .returningAll()
        .execute();
      if (rows.length === 0) return [];
      const ids = [...new Set(rows.map(({ webhook_id }) => webhook_id))];
      const webhooks = await trx.selectFrom('webhook').selectAll().where('id', 'in', ids).execute();
      const byId = new Map(webhooks.map((row) => [Number(row.id), row]));
      return rows
        .map(deliveryOf)
        .flatMap((delivery): ClaimedDelivery[] => {
          const webhook = byId.get(delivery.webhookId);
          if (!webhook) return [];
          const keys = openKeys(this.#seal, delivery.webhookId, webhook);
          return [{ ...delivery, accountId: webhook.account_id, url: webhook.url, keys }];
        })
        .toSorted((one, other) => one.id - other.id);
    });
  }

  async conclude(...[delivery, claim, report, conclusion]: Parameters<DeliveryStore['conclude']>): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('webhook_delivery')
        .set({ ...concluded(conclusion), ...reported(report), claim: null })
        .where('id', '=', delivery.id)
        .where('claim', '=', claim)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      if (conclusion.state === 'gone') {
        await disableGone(trx, { accountId: delivery.accountId, id: delivery.webhookId }, report.on);
      }
      return true;
    });
  }

  async backlog(): Promise<DeliveryBacklog> {
    const row = await this.#db
      .selectFrom('webhook_delivery')
      .select((eb) => [eb.fn.countAll().as('waiting'), eb.fn.min('created_on').as('oldest_on')])
      // Written out, because SQLite takes the index of what waits for a literal only.
      .where('state', '=', sql<'waiting'>`'waiting'`)
      .executeTakeFirstOrThrow();
    return { waiting: Number(row.waiting), oldestOn: row.oldest_on === null ? null : Number(row.oldest_on) };
  }

  async prune(time: number): Promise<number> {
    // Written while the webhook was being disabled.
    await this.#db
      .updateTable('webhook_delivery')
      .set({ state: 'dropped', claim: null })
      .where('state', '=', 'waiting')
      .where('webhook_id', 'in', (eb) => eb.selectFrom('webhook').select('id').where('disabled_reason', 'is not', null))
      .execute();
    const { numDeletedRows } = await this.#db
      .deleteFrom('webhook_delivery')
      .where('created_on', '<', time)
      .where('state', '<>', 'waiting')
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

/** Of the account of a row. */
function shareOfAccount({ mostOfAccount, moreOf }: Pick<ClaimRequest, 'mostOfAccount' | 'moreOf'>) {
  if (moreOf.size === 0) return sql<number>`${mostOfAccount}`;
  const shares = [...moreOf].map(([accountId, more]) => sql`when ${accountId} then cast(${more} as integer)`);
  return sql<number>`case account_id ${sql.join(shares, sql` `)} else cast(${mostOfAccount} as integer) end`;
}

/** As refusals: what names no account of this server belongs to the only account, if there is exactly one. */
async function withAccounts(trx: Transaction<Schema>, occurrences: readonly Occurrence[]): Promise<Occurrence[]> {
  const some = await trx.selectFrom('account').select('id').limit(2).execute();
  const only = some.length === 1 ? some[0]!.id : undefined;
  return only === undefined ? [...occurrences] : occurrences.map((one) => ({ ...one, accountId: only }));
}

function concluded(conclusion: CallConclusion): Pick<WebhookDeliveryTable, 'state'> & { due_on?: number } {
  if (conclusion.state === 'waiting') return { state: 'waiting', due_on: conclusion.dueOn };
  return { state: conclusion.state === 'gone' ? 'failed' : conclusion.state };
}

function reported({ on, status, fault, durationMs }: CallReport) {
  return { last_on: on, last_status: status, last_fault: fault, last_duration_ms: Math.round(durationMs) };
}

/** PostgreSQL returns a bigint as text. */
function deliveryOf(row: Selectable<WebhookDeliveryTable>): Delivery {
  const { last_on, last_status, last_fault, last_duration_ms } = row;
  return {
    id: Number(row.id),
    webhookId: Number(row.webhook_id),
    eventId: row.event_id,
    type: row.type,
    payload: row.payload,
    state: row.state,
    attempts: row.attempts,
    createdOn: Number(row.created_on),
    dueOn: Number(row.due_on),
    last:
      last_on === null
        ? null
        : { on: Number(last_on), status: last_status, fault: last_fault, durationMs: last_duration_ms ?? 0 },
  };
}
