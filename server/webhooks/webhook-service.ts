import {
  chosenEvents,
  type CreateWebhook,
  type UpdateWebhook,
  type WebhookDeliveriesQuery,
  type WebhookListQuery,
} from '../../src/wire/management/webhook.js';
import { ApiError, ConflictError, InvalidRequestError, NotFoundError } from '../errors.js';
import { webhookTest } from './occurrence.js';
import type { TargetAddresses } from '../outbound/target-addresses.js';
import { newWebhookKey, rotatedKeys, switched, type Webhook, type WebhookFields } from './webhook.js';
import { CALL_TIMEOUT_MS } from './webhook-call.js';
import {
  MOST_ASKED_FOR,
  type Delivery,
  type DeliveryPage,
  type DeliveryStore,
  type WebhookStore,
} from './webhook-store.js';

/** For how long the existing service's way to replace a key leaves the old one valid, in milliseconds. */
const OLD_KEY_MS = 24 * 3_600_000;

export interface WebhookServiceOptions {
  readonly store: WebhookStore;
  readonly deliveries: Pick<DeliveryStore, 'writeFor' | 'replay' | 'listDeliveries'>;
  readonly addresses: Pick<TargetAddresses, 'refuses'>;
  /** A test or a replay waits to be sent. Absent: no server runs in this process. */
  readonly onWritten?: () => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The webhooks of accounts, and what was sent to them. */
export class WebhookService {
  readonly #options: WebhookServiceOptions;
  readonly #now: () => number;

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async list(accountId: string, { startingId, ...range }: WebhookListQuery): Promise<readonly Webhook[]> {
    const first = startingId === undefined ? undefined : Number(startingId);
    return await this.#options.store.list(accountId, { ...range, startingId: first });
  }

  /** @throws {NotFoundError} `webhook_not_found` */
  async get(accountId: string, id: number): Promise<Webhook> {
    return found(await this.#options.store.find(accountId, id), id);
  }

  /**
   * The account must exist.
   * @throws {InvalidRequestError} `webhook_address_refused` @throws {ConflictError} `webhooks_full`
   */
  async create(accountId: string, { url, description = '', ...chosen }: CreateWebhook): Promise<Webhook> {
    this.#checkUrl(url);
    const webhook = await this.#options.store.add(
      {
        accountId,
        url,
        description,
        events: chosenEvents(chosen, []) ?? [],
        disabled: null,
        keys: { current: newWebhookKey(), old: null },
      },
      this.#now(),
    );
    if (webhook !== 'full') return webhook;
    throw new ConflictError('webhooks_full', 'This account has 20 webhooks; remove one first');
  }

  /**
   * Changes the given fields.
   * @throws {NotFoundError} `webhook_not_found` @throws {InvalidRequestError} `webhook_address_refused`
   */
  async update(accountId: string, id: number, change: UpdateWebhook): Promise<Webhook> {
    const { url, description, refreshSecret, reEnable, isActive = reEnable || undefined } = change;
    if (url !== undefined) this.#checkUrl(url);
    const now = this.#now();
    const key = refreshSecret ? newWebhookKey() : undefined;
    const decide = (before: WebhookFields): WebhookFields => ({
      url: url ?? before.url,
      description: description ?? before.description,
      events: chosenEvents(change, before.events) ?? before.events,
      disabled: switched(before, isActive, now),
      keys: key === undefined ? before.keys : rotatedKeys(before.keys, key, now + OLD_KEY_MS, now),
    });
    const action = refreshSecret ? 'webhook_key_rotated' : 'webhook_changed';
    return found(await this.#options.store.change({ accountId, id }, decide, { action, now }), id);
  }

  /** Signs with a new key, and for so many seconds with the old one too. @throws {NotFoundError} `webhook_not_found` */
  async rotate(accountId: string, id: number, oldKeyExpires: number): Promise<Webhook> {
    const now = this.#now();
    const key = newWebhookKey();
    const decide = (before: WebhookFields): WebhookFields => ({
      ...before,
      keys: rotatedKeys(before.keys, key, now + oldKeyExpires * 1_000, now),
    });
    const audit = { action: 'webhook_key_rotated', now } as const;
    return found(await this.#options.store.change({ accountId, id }, decide, audit), id);
  }

  /** With its log. @returns the webhook as it was @throws {NotFoundError} `webhook_not_found` */
  async remove(accountId: string, id: number): Promise<Webhook> {
    return found(await this.#options.store.remove(accountId, id, this.#now()), id);
  }

  /**
   * Sends an event of the type `webhook.test`, once.
   * @throws {NotFoundError} @throws {ConflictError} `webhook_disabled`, `webhook_key_unreadable`, `stored_row_unreadable`
   * @throws {ApiError} 429 `webhook_backlog_full`
   */
  async test(accountId: string, id: number): Promise<Delivery> {
    await this.#active(accountId, id);
    const { deliveries, onWritten } = this.#options;
    const delivery = written(await deliveries.writeFor(id, webhookTest({ accountId, time: this.#now() }, id)));
    onWritten?.();
    return delivery;
  }

  /** The newest first. @throws {NotFoundError} `webhook_not_found` */
  async deliveries(accountId: string, id: number, query: WebhookDeliveriesQuery): Promise<DeliveryPage> {
    await this.get(accountId, id);
    return await this.#options.deliveries.listDeliveries(id, query);
  }

  /**
   * Sends an event once more, with the same id.
   * @throws {NotFoundError} `webhook_not_found`, `webhook_delivery_not_found` @throws {ConflictError} as `test`
   * @throws {ApiError} 429 `webhook_backlog_full`
   */
  async replay(accountId: string, id: number, deliveryId: number): Promise<Delivery> {
    await this.#active(accountId, id);
    const { deliveries, onWritten } = this.#options;
    const replayed = await deliveries.replay({ accountId, id }, deliveryId, this.#now());
    if (!replayed) {
      throw new NotFoundError('webhook_delivery_not_found', `No delivery with id: ${deliveryId}, or it is too old`);
    }
    const delivery = written(replayed);
    onWritten?.();
    return delivery;
  }

  async #active(accountId: string, id: number): Promise<void> {
    const { disabled, fault } = await this.get(accountId, id);
    if (disabled) throw new ConflictError('webhook_disabled', 'This webhook is disabled; enable it first');
    if (fault) throw faultOfWebhook(fault);
  }

  #checkUrl(url: string): void {
    if (!this.#options.addresses.refuses(new URL(url).hostname)) return;
    const message =
      'must not be an address of a private network, unless the operator of the server allows that network';
    throw new InvalidRequestError({ url: [message] }, { code: 'webhook_address_refused' });
  }
}

/** Why nothing is sent to a webhook that cannot be read, and what its owner can do. */
export function faultOfWebhook(fault: NonNullable<Webhook['fault']>): ConflictError {
  if (fault === 'row') {
    return new ConflictError('stored_row_unreadable', 'This webhook cannot be read: remove it and create it again');
  }
  return new ConflictError('webhook_key_unreadable', 'The signing key of this webhook cannot be read: rotate it');
}

function found(webhook: Webhook | undefined, id: number): Webhook {
  if (webhook) return webhook;
  throw new NotFoundError('webhook_not_found', `No webhook with id: ${id}`);
}

/** @throws {ApiError} 429 `webhook_backlog_full` */
function written(delivery: Delivery | 'full'): Delivery {
  if (delivery !== 'full') return delivery;
  const seconds = CALL_TIMEOUT_MS / 1_000;
  throw new ApiError(
    429,
    'webhook_backlog_full',
    `${MOST_ASKED_FOR} tests and replays of this account wait to be sent; try again in ${seconds} s`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
