import * as z from 'zod/mini';
import {
  apiKeyBody,
  apiKeyList,
  apiKeyWithValue,
  type ApiKeyBody,
  type ApiKeyWithValue,
  type CreateApiKey,
  type RotateApiKeyInput,
  type UpdateApiKey,
} from '../wire/management/api-key.js';
import type { ManagementConnection } from './management-connection.js';

const keyAnswer = z.object({ status: z.literal('success'), data: apiKeyBody });
const valueAnswer = z.object({ status: z.literal('success'), data: apiKeyWithValue });

const PATH = '/api/account/keys';

export interface ApiKeyListOptions {
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
}

export interface ApiKeyListPage {
  readonly keys: readonly ApiKeyBody[];
  /** Number of keys on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

/** The calls for the named keys of machines. Each throws {@link ManagementError}. */
export class ApiKeyCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** Creates a key. No later answer has its value. */
  async create(fields: CreateApiKey): Promise<ApiKeyWithValue> {
    return (await this.#connection.call(valueAnswer, { method: 'POST', path: PATH, body: fields })).data;
  }

  /** The keys, the newest first, with those that expired or are revoked. */
  async list(options: ApiKeyListOptions = {}): Promise<ApiKeyListPage> {
    const request = { method: 'GET', path: PATH, query: { ...options } } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(apiKeyList, request);
    return { keys: data, total, page, itemsOnPage };
  }

  /** Changes the given fields only. */
  async update(id: string, change: UpdateApiKey): Promise<ApiKeyBody> {
    const request = { method: 'PUT', path: pathOf(id), body: change } as const;
    return (await this.#connection.call(keyAnswer, request)).data;
  }

  /** Gives the key a new value. The old value stays valid for `oldValueExpires` seconds; absent: a day. */
  async rotate(id: string, options: RotateApiKeyInput = {}): Promise<ApiKeyWithValue> {
    const request = { method: 'POST', path: `${pathOf(id)}/rotate`, body: options } as const;
    return (await this.#connection.call(valueAnswer, request)).data;
  }

  /** Every server refuses the key from now on. */
  async revoke(id: string): Promise<ApiKeyBody> {
    return (await this.#connection.call(keyAnswer, { method: 'DELETE', path: pathOf(id) })).data;
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
