import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { MAX_WEBHOOKS } from '../../../src/wire/management/webhook.js';
import type { AuditFields } from '../../oversight/audit-entry.js';
import type { Webhook, WebhookFields } from '../../webhooks/webhook.js';
import type { NewWebhook, WebhookRange, WebhookStore } from '../../webhooks/webhook-store.js';
import { allowOnFullDisk } from '../availability/disk-reserve.js';
import type { Database, Schema } from '../schema.js';
import { writeAudit } from './sql-audit-store.js';
import type { TokenSeal } from './sql-token-rows.js';
import { WAITING } from './sql-webhook-outbox.js';
import { webhookContext, webhookReader } from './sql-webhook-rows.js';

export class SqlWebhookStore implements WebhookStore {
  readonly #db: Database;
  readonly #seal: TokenSeal;
  readonly #reader: ReturnType<typeof webhookReader>;

  constructor(db: Database, seal: TokenSeal) {
    this.#db = db;
    this.#seal = seal;
    this.#reader = webhookReader(seal);
  }

  async add(webhook: NewWebhook, now: number): Promise<Webhook | 'full'> {
    const { accountId } = webhook;
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the account on every database, so that nobody else takes the place that is counted.
      await trx.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
      const { count } = await trx
        .selectFrom('webhook')
        .where('account_id', '=', accountId)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_WEBHOOKS) return 'full';
      const inserted = await trx
        .insertInto('webhook')
        .values({ ...plainRowOf(webhook, now), account_id: accountId, key_sealed: '', created_on: now })
        .returning('id')
        .executeTakeFirstOrThrow();
      const id = Number(inserted.id);
      await trx.updateTable('webhook').set(this.#sealed(id, webhook.keys)).where('id', '=', id).execute();
      const change = { target: targetOf(id), targetName: nameOf(webhook), before: null, after: auditFields(webhook) };
      await writeAudit(trx, { accountId, action: 'webhook_created', ...change }, now);
      return { ...webhook, id, createdOn: now, updatedOn: now, fault: null };
    });
  }

  async change(...[{ accountId, id }, decide, { action, now }]: Parameters<WebhookStore['change']>) {
    const change = async (trx: Transaction<Schema>): Promise<Webhook | undefined> => {
      // Writing first locks the row on every database, so that what is read with it is current.
      const row = await trx
        .updateTable('webhook')
        .set({ account_id: accountId })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const before = this.#reader.read(trx, row);
      const after = { ...before, ...decide(before) };
      if (isDeepStrictEqual(after, before)) return before;
      const written = await trx
        .updateTable('webhook')
        .set({ ...plainRowOf(after, now), ...this.#sealed(id, after.keys) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (!after.disabled !== !before.disabled) await dropWaiting(trx, id);
      else if (after.url !== before.url || before.fault !== null) await hasten(trx, id, now);
      const fields = { before: auditFields(before), after: auditFields(after) };
      await writeAudit(trx, { accountId, action, target: targetOf(id), targetName: nameOf(after), ...fields }, now);
      return this.#reader.read(trx, written);
    };
    // The change may disable the webhook.
    return await allowOnFullDisk(() => this.#db.transaction().execute(change));
  }

  async remove(accountId: string, id: number, now: number): Promise<Webhook | undefined> {
    const remove = async (trx: Transaction<Schema>): Promise<Webhook | undefined> => {
      const row = await trx
        .deleteFrom('webhook')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const removed = this.#reader.read(trx, row);
      this.#reader.forget(trx, row);
      const change = { target: targetOf(id), targetName: nameOf(removed), before: auditFields(removed), after: null };
      await writeAudit(trx, { accountId, action: 'webhook_deleted', ...change }, now);
      return removed;
    };
    return await allowOnFullDisk(() => this.#db.transaction().execute(remove));
  }

  async find(accountId: string, id: number): Promise<Webhook | undefined> {
    const row = await this.#db
      .selectFrom('webhook')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row && this.#reader.read(this.#db, row);
  }

  async list(accountId: string, { startingId, itemCount, isDescending }: WebhookRange): Promise<readonly Webhook[]> {
    const rows = await this.#db
      .selectFrom('webhook')
      .selectAll()
      .where('account_id', '=', accountId)
      .$if(startingId !== undefined, (query) => query.where('id', isDescending ? '<=' : '>=', startingId!))
      .orderBy('id', isDescending ? 'desc' : 'asc')
      .limit(itemCount)
      .execute();
    return this.#reader.readAll(this.#db, rows);
  }

  /** Keys that cannot be read stay as they are. */
  #sealed(id: number, keys: WebhookFields['keys']) {
    if (keys === null) return {};
    const { current, old } = keys;
    return {
      key_sealed: this.#seal.seal(current, webhookContext(id)),
      old_key_sealed: old && this.#seal.seal(old.key, webhookContext(id)),
      old_key_expires_on: old && old.expiresOn,
    };
  }
}

/** Disables a webhook because its receiver answered 410, unless it is disabled already. */
export async function disableGone(
  trx: Transaction<Schema>,
  { accountId, id }: { readonly accountId: string; readonly id: number },
  now: number,
): Promise<void> {
  const row = await trx
    .updateTable('webhook')
    .set({ disabled_reason: 'gone', disabled_on: now, updated_on: now })
    .where('id', '=', id)
    .where('disabled_reason', 'is', null)
    .returning(['url', 'description'])
    .executeTakeFirst();
  if (!row) return;
  await dropWaiting(trx, id);
  const fields = { before: { disabled: null }, after: { disabled: 'gone' } };
  const change = { target: targetOf(id), targetName: nameOf(row), ...fields };
  await writeAudit(trx, { accountId, action: 'webhook_disabled', ...change }, now);
}

/** Also when the webhook is enabled: an event written while it was being disabled may have been left, and is old now. */
async function dropWaiting(trx: Transaction<Schema>, id: number): Promise<void> {
  await trx
    .updateTable('webhook_delivery')
    .set({ state: 'dropped', claim: null })
    .where('webhook_id', '=', id)
    .where('state', '=', WAITING)
    .execute();
}

/** What waits after a failed call is tried at once. */
async function hasten(trx: Transaction<Schema>, id: number, now: number): Promise<void> {
  await trx
    .updateTable('webhook_delivery')
    .set({ due_on: now })
    .where('webhook_id', '=', id)
    .where('state', '=', WAITING)
    .where('claim', 'is', null)
    .execute();
}

const targetOf = (id: number) => ({ kind: 'webhook', id: String(id) });

/** Addresses of receivers often contain a secret: only the origin is shown to those who may read changes. */
const shownUrl = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

const nameOf = ({ url, description }: Pick<WebhookFields, 'url' | 'description'>): string | undefined =>
  description || (shownUrl(url) ?? undefined);

function auditFields({ url, description, events, disabled }: WebhookFields): AuditFields {
  return {
    url: shownUrl(url),
    description,
    events,
    disabled: disabled && disabled.reason,
  };
}

function plainRowOf({ url, description, events, disabled }: WebhookFields, now: number) {
  return {
    url,
    description,
    events: JSON.stringify(events),
    disabled_reason: disabled && disabled.reason,
    disabled_on: disabled && disabled.on,
    updated_on: now,
  };
}
