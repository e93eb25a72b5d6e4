import * as z from 'zod/mini';
import {
  webhookBody,
  webhookDeliveryBody,
  webhookDeliveryList,
  webhookList,
  type CreateWebhook,
  type DeliveryState,
  type RotateWebhookKeyInput,
  type UpdateWebhook,
  type WebhookBody,
  type WebhookDeliveryBody,
} from '../wire/management/webhook.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/webhooks';
const webhookAnswer = z.object({ status: z.literal('success'), data: webhookBody });
const deliveryAnswer = z.object({ status: z.literal('success'), data: webhookDeliveryBody });

export interface WebhookListOptions {
  /** The first id of the list. */
  readonly startingId?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemCount?: number | undefined;
  /** By id. Absent: false. */
  readonly isDescending?: boolean | undefined;
}

export interface DeliveryListOptions {
  readonly state?: DeliveryState | undefined;
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
}

export interface DeliveryListPage {
  readonly deliveries: readonly WebhookDeliveryBody[];
  /** Number of deliveries on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

/** The calls for webhooks. Each throws {@link ManagementError}. */
export class WebhookCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** In the order of their ids. An account has 20 at most. */
  async list(options: WebhookListOptions = {}): Promise<readonly WebhookBody[]> {
    const request = { method: 'GET', path: `${PATH}/list`, query: { ...options } } as const;
    return (await this.#connection.call(webhookList, request)).data;
  }

  /** @throws {ManagementError} `webhooks_full`, `webhook_address_refused` */
  async create(fields: CreateWebhook): Promise<WebhookBody> {
    return await this.#webhook('POST', '', fields);
  }

  /** @throws {ManagementError} `webhook_not_found` */
  async get(id: number): Promise<WebhookBody> {
    return await this.#webhook('GET', `/${id}`);
  }

  /** Changes the given fields. @throws {ManagementError} `webhook_not_found`, `webhook_address_refused` */
  async update(id: number, change: UpdateWebhook): Promise<WebhookBody> {
    return await this.#webhook('PUT', `/${id}`, change);
  }

  /** @returns the webhook as it was @throws {ManagementError} `webhook_not_found` */
  async remove(id: number): Promise<WebhookBody> {
    return await this.#webhook('DELETE', `/${id}`);
  }

  /** Replaces the signing key. The old one signs too for `oldKeyExpires` seconds; absent: a day. */
  async rotate(id: number, options: RotateWebhookKeyInput = {}): Promise<WebhookBody> {
    return await this.#webhook('POST', `/${id}/rotate`, options);
  }

  /**
   * Sends an event of the type `webhook.test`, once. Its end is in the log.
   * @throws {ManagementError} `webhook_disabled`, `webhook_backlog_full`
   */
  async test(id: number): Promise<WebhookDeliveryBody> {
    return await this.#delivery(`/${id}/test`);
  }

  /** What was sent in the last seven days, and what waits, the newest first. */
  async deliveries(id: number, options: DeliveryListOptions = {}): Promise<DeliveryListPage> {
    const request = { method: 'GET', path: `${PATH}/${id}/deliveries`, query: { ...options } } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(webhookDeliveryList, request);
    return { deliveries: data, total, page, itemsOnPage };
  }

  /**
   * Sends an event once more, with the same id.
   * @throws {ManagementError} `webhook_delivery_not_found`, `webhook_disabled`, `webhook_backlog_full`
   */
  async replay(id: number, deliveryId: number): Promise<WebhookDeliveryBody> {
    return await this.#delivery(`/${id}/deliveries/${deliveryId}/replay`);
  }

  async #webhook(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<WebhookBody> {
    const request = { method, path: `${PATH}${path}`, ...(body && { body }) };
    return (await this.#connection.call(webhookAnswer, request)).data;
  }

  async #delivery(path: string): Promise<WebhookDeliveryBody> {
    return (await this.#connection.call(deliveryAnswer, { method: 'POST', path: `${PATH}${path}` })).data;
  }
}
