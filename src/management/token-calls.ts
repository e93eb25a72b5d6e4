import * as z from 'zod/mini';
import { tokenList, tokenRecord, type TokenBody } from '../wire/management/token.js';
import type { ManagementConnection, ManagementRequest } from './management-connection.js';

const tokenAnswer = z.object({ status: z.literal('success'), data: tokenRecord });
const deletedAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

export interface TokenListOptions {
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
  readonly sortBy?: 'Name' | 'AddedOn' | undefined;
  readonly isDescending?: boolean | undefined;
}

export interface TokenNameOptions extends TokenListOptions {
  readonly filterBy?: 'None' | 'TokenName' | 'StreamName' | 'TokenOrStreamName' | undefined;
}

export interface TokenCreateOptions {
  /** A repeated request with the same key within a day creates no second token, and returns the first one. */
  readonly idempotencyKey?: string | undefined;
}

export interface TokenListPage {
  readonly tokens: readonly TokenBody[];
  /** Number of tokens on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

/** The calls for the tokens of one kind. Each throws {@link ManagementError}. */
export class TokenCalls<Create extends object, Update extends object> {
  readonly #connection: ManagementConnection;
  readonly #path: string;

  constructor(connection: ManagementConnection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  async create(fields: Create, { idempotencyKey }: TokenCreateOptions = {}): Promise<TokenBody> {
    const request = { method: 'POST', path: this.#path, body: fields, idempotencyKey } as const;
    return (await this.#connection.call(tokenAnswer, request)).data;
  }

  async get(id: number): Promise<TokenBody> {
    const request = { method: 'GET', path: `${this.#path}/${id}` } as const;
    return (await this.#connection.call(tokenAnswer, request)).data;
  }

  /** Changes only these fields. */
  async update(id: number, change: Update): Promise<TokenBody> {
    const request = { method: 'PUT', path: `${this.#path}/${id}`, body: change } as const;
    return (await this.#connection.call(tokenAnswer, request)).data;
  }

  async delete(id: number): Promise<void> {
    await this.#connection.call(deletedAnswer, { method: 'DELETE', path: `${this.#path}/${id}` });
  }

  async list(options: TokenListOptions = {}): Promise<TokenListPage> {
    return await this.#list('list', { ...options });
  }

  /** The tokens with exactly this label, or for exactly this stream; `filterBy` selects one of the two. */
  async listByName(name: string, options: TokenNameOptions = {}): Promise<TokenListPage> {
    return await this.#list('list_by_name', { ...options, name });
  }

  async #list(list: string, query: NonNullable<ManagementRequest['query']>): Promise<TokenListPage> {
    const request = { method: 'GET', path: `${this.#path}/${list}`, query } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(tokenList, request);
    return { tokens: data, total, page, itemsOnPage };
  }
}
