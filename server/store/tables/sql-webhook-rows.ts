import type { Selectable } from 'kysely';
import { callFault, deliveryState } from '../../../src/wire/management/webhook.js';
import { webhookEventType } from '../../../src/wire/webhook-event.js';
import type { Delivery } from '../../webhooks/webhook-store.js';
import type { Webhook, WebhookKeys } from '../../webhooks/webhook.js';
import type { ValueSeal } from '../keys/value-seal.js';
import { ColumnFault, type Columns } from '../rows/columns.js';
import { RowReader } from '../rows/row-reader.js';
import type { WebhookDeliveryTable, WebhookTable } from '../schema/webhook-tables.js';

type WebhookRow = Selectable<WebhookTable>;
type DeliveryRow = Selectable<WebhookDeliveryTable>;

/** Always makes a webhook, so that its owner sees it and can mend or remove it. With a fault, nothing is sent to it. */
export function webhookReader(seal: Pick<ValueSeal, 'open'>): RowReader<WebhookRow, Webhook> {
  return new RowReader({
    table: 'webhook',
    key: ['id'],
    read(row) {
      const webhook = {
        id: row.integer('id'),
        accountId: row.text('account_id'),
        url: row.tolerate(() => urlOf(row), ''),
        description: row.text('description'),
        events: row.tolerate(() => eventsOf(row), []),
        keys: row.tolerate(() => keysOf(row, seal), null),
        disabled: disabledOf(row),
        createdOn: row.tolerate(() => row.time('created_on'), 0),
        updatedOn: row.tolerate(() => row.time('updated_on'), 0),
      };
      return { ...webhook, fault: faultOf(row.tolerated.map(({ column }) => column)) };
    },
  });
}

const KEY_COLUMNS: ReadonlySet<string> = new Set(['key_sealed', 'old_key_sealed', 'old_key_expires_on']);

function faultOf(columns: readonly string[]): Webhook['fault'] {
  if (columns.length === 0) return null;
  return columns.every((column) => KEY_COLUMNS.has(column)) ? 'key' : 'row';
}

/** What encrypted values of a webhook are bound to. */
export const webhookContext = (id: number): string => `webhook ${id}`;

function keysOf(row: Columns<WebhookRow>, seal: Pick<ValueSeal, 'open'>): WebhookKeys {
  const context = webhookContext(row.integer('id'));
  const old = row.isNull('old_key_sealed')
    ? null
    : { key: row.sealed('old_key_sealed', seal, context), expiresOn: row.time('old_key_expires_on') };
  return { current: row.sealed('key_sealed', seal, context), old };
}

function urlOf(row: Columns<WebhookRow>): string {
  const url = row.text('url');
  if (!URL.canParse(url)) throw new ColumnFault('url', 'is not a URL');
  return url;
}

/** An event of a later version is not sent by this one. */
function eventsOf(row: Columns<WebhookRow>): Webhook['events'] {
  const stored = row.list('events');
  return webhookEventType.options.filter((type) => stored.includes(type));
}

/** A reason that cannot be read is one. */
function disabledOf(row: Columns<WebhookRow>): Webhook['disabled'] {
  if (row.isNull('disabled_reason')) return null;
  return {
    reason: row.tolerate(() => row.oneOf('disabled_reason', ['owner', 'gone']), 'owner'),
    on: row.tolerate(() => row.time('disabled_on'), 0),
  };
}

export const deliveryReader = new RowReader<DeliveryRow, Delivery>({
  table: 'webhook_delivery',
  key: ['id'],
  read: (row) => ({
    id: row.integer('id'),
    webhookId: row.integer('webhook_id'),
    eventId: row.text('event_id'),
    type: row.text('type'),
    payload: row.text('payload'),
    state: row.oneOf('state', deliveryState.options),
    attempts: row.count('attempts'),
    createdOn: row.time('created_on'),
    dueOn: row.time('due_on'),
    last: row.isNull('last_on')
      ? null
      : {
          on: row.time('last_on'),
          status: row.orNull('last_status', row.count),
          fault: row.orNull('last_fault', (name) => row.oneOf(name, callFault.options)),
          durationMs: row.orNull('last_duration_ms', row.count) ?? 0,
        },
  }),
});
