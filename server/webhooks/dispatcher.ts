import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { TEST_EVENT } from '../../src/wire/webhook-event.js';
import { every } from '../faults/timers.js';
import { callShares } from './call-shares.js';
import { nextAttemptOn } from './retry-schedule.js';
import { signatureHeaders } from './webhook-signature.js';
import type { WebhookMessage } from './webhook-call.js';
import type { CallConclusion, CallReport, ClaimedDelivery, DeliveryStore } from './webhook-store.js';
import { validKeys } from './webhook.js';

/** How soon an event that another server wrote, or the next call, is noticed. */
const POLL_MS = 1_000;
/** Far longer than a call may take: another server takes over what a lost server had claimed. */
export const CLAIM_MS = 60_000;
const GONE = 410;

export interface DispatcherOptions {
  readonly store: Pick<DeliveryStore, 'claim' | 'conclude'>;
  /** Makes a call. Never rejects. */
  readonly call: (message: WebhookMessage, closing: AbortSignal) => Promise<CallReport>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
  readonly pollMs?: number;
  /** A call ended, and this follows from it. Not for one that was broken off because the dispatcher closes. */
  readonly onConcluded?: (report: CallReport, conclusion: CallConclusion['state']) => void;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
}

/**
 * Sends what waits for webhooks. Of several servers on one database, the one that claims a delivery sends it. A server
 * that is lost between a call and its conclusion makes the call happen again: receivers know an event by its
 * `webhook-id`.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #closing = new AbortController();
  /** The calls under way. */
  readonly #calls = new Map<ClaimedDelivery, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | undefined;
  #isWoken = false;
  /** The database does not answer: reported once. */
  #isBroken = false;
  /** When the database said last what is due. Milliseconds since 1970. */
  #answeredAt: number;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#answeredAt = options.now();
  }

  /** How long the database has not said what is due, in ms: it is asked every second. */
  get stuckForMs(): number {
    return this.#options.now() - this.#answeredAt;
  }

  start(): void {
    this.#timer = every('webhooks', this.#options.pollMs ?? POLL_MS, () => this.wake()).unref();
    this.wake();
  }

  /** Something may be due. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#isWoken = true;
    this.#claiming ??= this.#claimAll().finally(() => {
      this.#claiming = undefined;
      // What came after the last look.
      if (this.#isWoken) this.wake();
    });
  }

  /** Stops to claim, and breaks off the calls under way: they are made again. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#claiming;
    await Promise.all(this.#calls.values());
  }

  async #claimAll(): Promise<void> {
    while (this.#isWoken && !this.#closing.signal.aborted) {
      this.#isWoken = false;
      try {
        // More than a part may be free.
        if ((await this.#claim()) > 0) this.#isWoken = true;
        this.#isBroken = false;
        this.#answeredAt = this.#options.now();
      } catch (err) {
        if (!this.#isBroken) this.#options.log.warn({ err }, 'nothing can be sent to webhooks now');
        this.#isBroken = true;
      }
    }
  }

  /** @returns how many were claimed */
  async #claim(): Promise<number> {
    const { store, now } = this.#options;
    const shares = callShares([...this.#calls.keys()]);
    if (!shares) return 0;
    const claim = randomUUID();
    const time = now();
    const claimed = await store.claim({ claim, now: time, until: time + CLAIM_MS, ...shares });
    for (const delivery of claimed) this.#begin(delivery, claim);
    return claimed.length;
  }

  #begin(delivery: ClaimedDelivery, claim: string): void {
    const call = this.#deliver(delivery, claim)
      .catch((err: unknown) => {
        // Its claim ends by itself.
        if (!this.#isBroken) this.#options.log.warn({ err }, 'nothing can be sent to webhooks now');
        this.#isBroken = true;
      })
      .finally(() => {
        this.#calls.delete(delivery);
        this.wake();
      });
    this.#calls.set(delivery, call);
  }

  async #deliver(delivery: ClaimedDelivery, claim: string): Promise<void> {
    const { store, call, now, random = Math.random, log } = this.#options;
    const { url, payload: body, eventId: id, keys } = delivery;
    const time = now();
    const headers = signatureHeaders({ id, timestamp: Math.floor(time / 1_000), body }, validKeys(keys, time));
    const report = await call({ url, body, headers }, this.#closing.signal);
    const isBrokenOff = this.#closing.signal.aborted && report.fault !== null;
    const conclusion: CallConclusion = isBrokenOff
      ? { state: 'waiting', dueOn: now() }
      : conclusionOf(delivery, report, random());
    const isOurs = await store.conclude(delivery, claim, report, conclusion);
    if (!isOurs || isBrokenOff) return;
    this.#options.onConcluded?.(report, conclusion.state);
    const { webhookId: webhook, accountId: account, type, attempts } = delivery;
    const { status, fault } = report;
    if (fault === null) log.debug({ webhook, account, event: id, type, attempts }, 'a webhook was called');
    else log.warn({ webhook, account, event: id, type, attempts, status, fault }, 'a call of a webhook failed');
    if (conclusion.state === 'gone') log.warn({ webhook, account }, 'a webhook was disabled by its receiver');
  }
}

/** What follows from the end of a call. @param random from 0 to 1 */
export function conclusionOf(
  delivery: Pick<ClaimedDelivery, 'type' | 'createdOn' | 'attempts'>,
  { on, status, fault }: CallReport,
  random: number,
): CallConclusion {
  if (fault === null) return { state: 'delivered' };
  if (status === GONE) return { state: 'gone' };
  // Whoever asked for a test looks at its end, and asks again.
  const dueOn = delivery.type === TEST_EVENT ? undefined : nextAttemptOn(delivery, on, random);
  return dueOn === undefined ? { state: 'failed' } : { state: 'waiting', dueOn };
}
