import type { CallFault, DeliveryState, WebhookDeliveriesQuery } from '../../src/wire/management/webhook.js';
import type { AuditAction } from '../../src/wire/management/audit.js';
import type { Occurrence } from './occurrence.js';
import type { Webhook, WebhookFields, WebhookKeys } from './webhook.js';

export interface NewWebhook extends WebhookFields {
  readonly accountId: string;
  readonly keys: WebhookKeys;
}

export interface WebhookRange {
  /** The first id. Undefined: from the beginning of the order. */
  readonly startingId: number | undefined;
  readonly itemCount: number;
  readonly isDescending: boolean;
}

export interface WebhookRef {
  readonly accountId: string;
  readonly id: number;
}

/** The tests and replays of an account that wait to be sent: people and programs ask for them, as often as they like. */
export const MOST_ASKED_FOR = 100;

export type WebhookChangeAction = Extract<AuditAction, 'webhook_changed' | 'webhook_key_rotated'>;

/** One event for one webhook. Times are milliseconds since 1970. */
export interface Delivery {
  readonly id: number;
  readonly webhookId: number;
  readonly eventId: string;
  readonly type: string;
  readonly payload: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdOn: number;
  /** When the next call is made, while it waits. */
  readonly dueOn: number;
  /** Null: no call has ended yet. */
  readonly last: CallReport | null;
}

/** How a call ended. */
export interface CallReport {
  readonly on: number;
  readonly durationMs: number;
  /** Null: the receiver did not answer. */
  readonly status: number | null;
  /** Null: it succeeded. */
  readonly fault: CallFault | null;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** The number of deliveries on all pages. */
  readonly total: number;
}

/** A delivery that this server, and no other, calls its receiver for. */
export interface ClaimedDelivery extends Delivery {
  readonly accountId: string;
  readonly url: string;
  readonly keys: WebhookKeys;
}

export interface ClaimRequest {
  /** Identifies the claim. Unique. */
  readonly claim: string;
  readonly now: number;
  /** When others may claim them, because this server is lost. */
  readonly until: number;
  readonly most: number;
  /** Of one webhook. */
  readonly mostOfOne: number;
  /** Webhooks that have enough calls under way. */
  readonly busy: readonly number[];
  /** Of one account. */
  readonly mostOfAccount: number;
  /** The same of accounts that have calls under way, by their id. */
  readonly moreOf: ReadonlyMap<string, number>;
}

export interface DeliveryBacklog {
  readonly waiting: number;
  /** When the oldest of what waits happened. Null: nothing waits. */
  readonly oldestOn: number | null;
}

/** What follows from a call. `waiting`: for another call. */
export type CallConclusion =
  | { readonly state: 'delivered' | 'failed' }
  | { readonly state: 'waiting'; readonly dueOn: number }
  /** The receiver wants no more events: the webhook is disabled. */
  | { readonly state: 'gone' };

/**
 * Stores webhooks and what is sent to them. Each change of a webhook is written to the audit log in the same
 * transaction.
 *
 * Every implementation passes test/server/store/tables/webhook-store.contract.ts.
 */
export interface WebhookStore {
  /** The account must exist. `full`: it has as many as it may have. Two at once never both take the last place. */
  add(webhook: NewWebhook, now: number): Promise<Webhook | 'full'>;
  /**
   * Replaces the fields of a webhook by what `decide` makes of them, in one step. Nothing is written if `decide`
   * changes nothing, or throws: then `change` rejects with that error. What waits is dropped if the webhook is disabled
   * or enabled, and is sent at once if its address changes.
   * @returns the webhook after the change; undefined if the account has none with this id
   */
  change(
    subject: WebhookRef,
    decide: (webhook: WebhookFields) => WebhookFields,
    audit: { readonly action: WebhookChangeAction; readonly now: number },
  ): Promise<Webhook | undefined>;
  /** With its deliveries. @returns the webhook as it was; undefined if the account has none with this id */
  remove(accountId: string, id: number, now: number): Promise<Webhook | undefined>;
  find(accountId: string, id: number): Promise<Webhook | undefined>;
  /** In the order of their ids. */
  list(accountId: string, range: WebhookRange): Promise<readonly Webhook[]>;
}

/** What is sent, in the order in which it happened. As {@link WebhookStore}. */
export interface DeliveryStore {
  /**
   * Writes what happened for each active webhook of its account that wants it: all of it or nothing. Without an account
   * of this name it is for the only account, if there is exactly one.
   */
  write(occurrences: readonly Occurrence[]): Promise<void>;
  /**
   * Writes an occurrence for one webhook of its account, in an order of its own. The webhook must exist. `full`:
   * `MOST_ASKED_FOR` of the account wait. Two at once never both take the last place.
   */
  writeFor(webhookId: number, occurrence: Occurrence): Promise<Delivery | 'full'>;
  /** Writes a delivery once more, as `writeFor`. @returns undefined if the webhook has none with this id */
  replay(webhook: WebhookRef, deliveryId: number, now: number): Promise<Delivery | 'full' | undefined>;
  /** The newest first. */
  listDeliveries(webhookId: number, query: WebhookDeliveriesQuery): Promise<DeliveryPage>;
  /**
   * Claims deliveries that are due, those of accounts and their webhooks in turn, and of each the longest due first: of
   * those of a webhook with the same order, only the first that waits. No two claims ever have the same delivery at the
   * same time. A delivery that cannot be read is given up; those of a webhook that cannot be read wait.
   */
  claim(request: ClaimRequest): Promise<readonly ClaimedDelivery[]>;
  /** Ends the claim. @returns false, and writes nothing, if another server has claimed it since */
  conclude(delivery: ClaimedDelivery, claim: string, report: CallReport, conclusion: CallConclusion): Promise<boolean>;
  /** What waits to be sent, for all webhooks. */
  backlog(): Promise<DeliveryBacklog>;
  /** Deletes what was delivered or given up before `time`, and drops what waits for a disabled webhook. @returns how many were deleted */
  prune(time: number): Promise<number>;
}

/** What is said of tokens once. As {@link WebhookStore}. */
export interface TokenEventStore {
  /**
   * Notes the first use of tokens, and writes `token.first_used` for those that were never used before, in one step.
   * Tokens that do not exist are left out.
   */
  noteUses(uses: readonly TokenUse[]): Promise<void>;
  /**
   * Writes `token.expiring` for active tokens that expire after `now` and by `by`, whose life is at least `shortestLife`
   * milliseconds, once for each expiry, if a webhook of the account wants it.
   * @returns how many; `most` if there may be more
   */
  announceExpiries(window: ExpiryWindow): Promise<number>;
}

export interface TokenUse {
  readonly tokenId: number;
  readonly streamName: string;
  readonly time: number;
}

export interface ExpiryWindow {
  readonly now: number;
  readonly by: number;
  readonly shortestLife: number;
  readonly most: number;
}
