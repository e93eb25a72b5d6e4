import { sql, type Transaction } from 'kysely';
import { payloadOf, type Occurrence } from '../../webhooks/occurrence.js';
import type { Schema } from '../schema.js';

/** The state of what waits. Written out, because SQLite takes the indexes of what waits for a literal only. */
export const WAITING = sql<'waiting'>`'waiting'`;

/**
 * What of a webhook waits is counted by a sample: one delivery of 61, a prime, so that the webhooks of an account, whose
 * deliveries are written in turn, have no more or less in it. The index of the sample is for these literals only.
 */
const IS_WAITING_SAMPLE = sql<boolean>`waiting.state = 'waiting' and waiting.id % 61 = 0`;
/** Of some 10,000 that wait. A receiver that is down for a day must not fill the disk. */
const MOST_IN_SAMPLE = 164;

/**
 * Writes what happened, in the transaction that makes it true, for each active webhook of the account that wants it. The
 * server that claims it sends it.
 */
export async function writeOccurrence(trx: Transaction<Schema>, occurrence: Occurrence): Promise<void> {
  const { eventId, accountId, time, orderKey, event } = occurrence;
  const text = (value: string) => sql<string>`cast(${value} as text)`;
  const number = (value: number) => sql<number>`cast(${value} as bigint)`;
  await trx
    .insertInto('webhook_delivery')
    .columns(['webhook_id', 'event_id', 'type', 'order_key', 'payload', 'state', 'created_on', 'due_on', 'attempts'])
    .expression((eb) =>
      eb
        .selectFrom('webhook')
        .select([
          'webhook.id',
          text(eventId).as('event_id'),
          text(event.type).as('type'),
          text(orderKey).as('order_key'),
          text(payloadOf(occurrence)).as('payload'),
          WAITING.as('state'),
          number(time).as('created_on'),
          number(time).as('due_on'),
          sql<number>`0`.as('attempts'),
        ])
        .where('webhook.account_id', '=', accountId)
        .where('webhook.disabled_reason', 'is', null)
        .where('webhook.events', 'like', `%"${event.type}"%`)
        .where(
          (count) =>
            count
              .selectFrom('webhook_delivery as waiting')
              .whereRef('waiting.webhook_id', '=', 'webhook.id')
              .where(IS_WAITING_SAMPLE)
              .select((all) => all.fn.countAll<number>().as('count')),
          '<',
          MOST_IN_SAMPLE,
        ),
    )
    .execute();
}
