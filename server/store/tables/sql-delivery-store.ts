import { sql, type Transaction } from 'kysely';
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
import type { Webhook, WebhookKeys } from '../../webhooks/webhook.js';
import type { Database, Schema } from '../schema.js';
import type { WebhookDeliveryTable } from '../schema/webhook-tables.js';
import type { TokenSeal } from './sql-token-rows.js';
import { dueDeliveries } from './due-deliveries.js';
import { WAITING, writeOccurrence } from './sql-webhook-outbox.js';
import { deliveryReader, webhookReader } from './sql-webhook-rows.js';
import { disableGone } from './sql-webhook-store.js';

/** Never more than fits into the column: one row must not let the whole statement fail. */
const nextAttempt = sql<number>`case when attempts < 1000000 then attempts + 1 else attempts end`;

/** The order of a delivery that was asked for begins with this, and ends with its id. A colon comes after all digits. */
const ALONE = 'alone ';

export class SqlDeliveryStore implements DeliveryStore {
  readonly #db: Database;
  readonly #webhooks: ReturnType<typeof webhookReader>;

  constructor(db: Database, seal: Pick<TokenSeal, 'open'>) {
    this.#db = db;
    this.#webhooks = webhookReader(seal);
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
    return row && (await this.#writeAlone(accountId, deliveryReader.read(this.#db, row), now));
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
        .where('state', '=', WAITING)
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
      return deliveryReader.read(trx, row);
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
    return { deliveries: deliveryReader.readAll(this.#db, rows), total: Number(total) };
  }

  async claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]> {
    const { claim, now, until } = request;
    // The conditions are repeated: after waiting for a row lock, PostgreSQL evaluates only the outer ones again.
    return await this.#db.transaction().execute(async (trx) => {
      const due = await dueDeliveries(trx, request);
      if (due.length === 0) return [];
      const rows = await trx
        .updateTable('webhook_delivery')
        .set({ claim, due_on: until, attempts: nextAttempt })
        .where('id', 'in', due)
        .where('state', '=', WAITING)
        .where('due_on', '<=', now)
        .returningAll()
        .execute();
      if (rows.length === 0) return [];
      const deliveries = deliveryReader.readAll(trx, rows);
      const read = new Set(deliveries.map(({ id }) => id));
      await giveUp(
        trx,
        rows.map(({ id }) => Number(id)).filter((id) => !read.has(id)),
      );
      const webhooks = await this.#sendable(trx, [...new Set(deliveries.map(({ webhookId }) => webhookId))]);
      await putBack(
        trx,
        deliveries.filter(({ webhookId }) => !webhooks.has(webhookId)).map(({ id }) => id),
      );
      return deliveries
        .flatMap((delivery): ClaimedDelivery[] => {
          const webhook = webhooks.get(delivery.webhookId);
          if (!webhook) return [];
          const { accountId, url, keys } = webhook;
          return [{ ...delivery, accountId, url, keys }];
        })
        .toSorted((one, other) => one.id - other.id);
    });
  }

  /** By id: those of the webhooks that can be read. */
  async #sendable(trx: Transaction<Schema>, ids: readonly number[]) {
    const sendable = new Map<number, Webhook & { readonly keys: WebhookKeys }>();
    if (ids.length === 0) return sendable;
    const rows = await trx.selectFrom('webhook').selectAll().where('id', 'in', ids).execute();
    for (const webhook of this.#webhooks.readAll(trx, rows)) {
      const { keys, fault } = webhook;
      if (keys && fault === null) sendable.set(webhook.id, { ...webhook, keys });
    }
    return sendable;
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
      .where('state', '=', WAITING)
      .executeTakeFirstOrThrow();
    return { waiting: Number(row.waiting), oldestOn: row.oldest_on === null ? null : Number(row.oldest_on) };
  }

  async prune(time: number): Promise<number> {
    // Written while the webhook was being disabled.
    await this.#db
      .updateTable('webhook_delivery')
      .set({ state: 'dropped', claim: null })
      .where('state', '=', WAITING)
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

/** Those that cannot be read: others of the same order come after them. */
async function giveUp(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.updateTable('webhook_delivery').set({ state: 'failed', claim: null }).where('id', 'in', ids).execute();
}

/** Those of webhooks that cannot be read wait, without an attempt, until the claim would have ended. */
async function putBack(trx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('webhook_delivery')
    .set((eb) => ({ claim: null, attempts: eb('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .execute();
}
