import * as z from 'zod/mini';
import { changedTokens, openTokenSessions, type BulkAction, type BulkResult } from '../wire/management/token-bulk.js';
import { tokenImport, type TokenImport } from '../wire/management/token-import.js';
import { tokenList, tokenRecord, type TokenBody, type TokenState } from '../wire/management/token.js';
import type { ManagementConnection, ManagementRequest } from './management-connection.js';
import { ManagementError } from './management-error.js';

const tokenAnswer = z.object({ status: z.literal('success'), data: tokenRecord });
const deletedAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });
const changedAnswer = z.object({ status: z.literal('success'), data: changedTokens });
const importAnswer = z.object({ status: z.literal('success'), data: tokenImport });
const sessionsAnswer = z.object({ status: z.literal('success'), data: openTokenSessions });

/** How often a change of the denied addresses is tried while somebody else changes the token. */
const DENY_ATTEMPTS = 2;

export interface TokenOrderOptions {
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
  /** `ExpiresOn`: the tokens that never expire come last. */
  readonly sortBy?: 'Name' | 'AddedOn' | 'ExpiresOn' | undefined;
  readonly isDescending?: boolean | undefined;
}

export interface TokenListOptions extends TokenOrderOptions {
  /** Any part of the label or of a stream name, in any letter case, or the first digits of the id. */
  readonly search?: string | undefined;
  readonly state?: TokenState | undefined;
}

export interface TokenNameOptions extends TokenOrderOptions {
  readonly filterBy?: 'None' | 'TokenName' | 'StreamName' | 'TokenOrStreamName' | undefined;
}

export interface TokenCreateOptions {
  /** A repeated request with the same key within a day creates no second token, and returns the first one. */
  readonly idempotencyKey?: string | undefined;
}

/** A token, and the ETag of its present version. Undefined: the server sends none. */
export type TaggedToken = TokenBody & { readonly etag: string | undefined };

export interface TokenUpdateOptions {
  /** The `etag` of the token that the change is based on. `etag_mismatch`: somebody has changed the token since. */
  readonly ifMatch?: string | undefined;
}

export interface TokenListPage {
  readonly tokens: readonly TokenBody[];
  /** Number of tokens on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

export interface TokenImportOptions {
  /** Only checks the table. */
  readonly dryRun?: boolean | undefined;
}

export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The calls for the tokens of one kind. Each throws {@link ManagementError}. */
export class TokenCalls<Create extends object, Update extends object> {
  readonly #connection: ManagementConnection;
  readonly #path: string;

  constructor(connection: ManagementConnection, path: string) {
    this.#connection = connection;
    this.#path = path;
  }

  async create(fields: Create, { idempotencyKey }: TokenCreateOptions = {}): Promise<TaggedToken> {
    const request = { method: 'POST', path: this.#path, body: fields, idempotencyKey } as const;
    return await this.#token(request);
  }

  async get(id: number): Promise<TaggedToken> {
    const request = { method: 'GET', path: `${this.#path}/${id}` } as const;
    return await this.#token(request);
  }

  /** Changes only these fields. */
  async update(id: number, change: Update, { ifMatch }: TokenUpdateOptions = {}): Promise<TaggedToken> {
    const request = { method: 'PUT', path: `${this.#path}/${id}`, body: change, ifMatch } as const;
    return await this.#token(request);
  }

  /**
   * Adds an address or range to those that the token denies. The server ends the sessions from there. If somebody
   * changes the token at the same time, this reads it again and tries once more.
   */
  async blockAddress(id: number, address: string): Promise<TaggedToken> {
    return await this.#deny(id, (denied) => (denied.includes(address) ? denied : [...denied, address]));
  }

  /**
   * Removes an address or range, as the token has it, from those that it denies. An address that is not in the list, or
   * only in a range of it, changes nothing.
   */
  async unblockAddress(id: number, address: string): Promise<TaggedToken> {
    return await this.#deny(id, (denied) =>
      denied.includes(address) ? denied.filter((it) => it !== address) : denied,
    );
  }

  async delete(id: number): Promise<void> {
    await this.#connection.call(deletedAnswer, { method: 'DELETE', path: `${this.#path}/${id}` });
  }

  /** Enables, disables or deletes up to 1,000 tokens. The answer says of each whether it is done, and if not, why. */
  async changeSeveral(action: BulkAction, tokenIds: readonly number[]): Promise<readonly BulkResult[]> {
    const request = { method: 'POST', path: `${this.#path}/bulk`, body: { action, tokenIds } } as const;
    return (await this.#connection.call(changedAnswer, request)).data.results;
  }

  /** How many broadcasts, or viewers, are connected to the server that answers with some of up to 1,000 tokens. */
  async openSessions(tokenIds: readonly number[]): Promise<number> {
    const request = { method: 'POST', path: `${this.#path}/open_sessions`, body: { tokenIds } } as const;
    return (await this.#connection.call(sessionsAnswer, request)).data.sessions;
  }

  async list({ signal, ...options }: TokenListOptions & CallOptions = {}): Promise<TokenListPage> {
    return await this.#list('list', options, signal);
  }

  /** The tokens as CSV, without their values: all pages as one table, with a header row. */
  async csv({ signal, ...query }: TokenListOptions & CallOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: `${this.#path}/list`, query, signal });
  }

  /**
   * Creates the tokens of a table with the columns of `csv()`: all of them or none.
   * @throws {ManagementError} `csv_unreadable`; `import_refused`, whose `errors` has what is wrong in each line
   */
  async import(csv: string, { dryRun = false }: TokenImportOptions = {}): Promise<TokenImport> {
    const request = { method: 'POST', path: `${this.#path}/import`, query: { dryRun }, csvBody: csv } as const;
    return (await this.#connection.call(importAnswer, request)).data;
  }

  /**
   * As `import`, and answers with a table of what to hand out (CSV): for each token and stream name the label and a link,
   * which contains the token.
   * @throws {ManagementError} as `import`
   */
  async importForLinks(csv: string): Promise<string> {
    return await this.#connection.csv({ path: `${this.#path}/import`, csvBody: csv });
  }

  /** The tokens of `listByName` as CSV, without their values: all pages as one table, with a header row. */
  async csvByName(name: string, options: TokenNameOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: `${this.#path}/list_by_name`, query: { ...options, name } });
  }

  /** The tokens with exactly this label, or for exactly this stream; `filterBy` selects one of the two. */
  async listByName(name: string, options: TokenNameOptions = {}): Promise<TokenListPage> {
    return await this.#list('list_by_name', { ...options, name });
  }

  /** @param revise returns the new list, or the same one to change nothing */
  async #deny(
    id: number,
    revise: (denied: readonly string[]) => readonly string[],
    attempts = DENY_ATTEMPTS,
  ): Promise<TaggedToken> {
    const token = await this.get(id);
    const deniedIpAddresses = revise(token.deniedIpAddresses);
    if (deniedIpAddresses === token.deniedIpAddresses) return token;
    const path = `${this.#path}/${id}`;
    try {
      return await this.#token({ method: 'PUT', path, body: { deniedIpAddresses }, ifMatch: token.etag });
    } catch (error) {
      const hasChanged = error instanceof ManagementError && error.code === 'etag_mismatch';
      if (hasChanged && attempts > 1) return await this.#deny(id, revise, attempts - 1);
      throw error;
    }
  }

  async #token(request: ManagementRequest): Promise<TaggedToken> {
    const { answer, etag } = await this.#connection.callTagged(tokenAnswer, request);
    return { ...answer.data, etag };
  }

  async #list(
    list: string,
    query: NonNullable<ManagementRequest['query']>,
    signal?: AbortSignal,
  ): Promise<TokenListPage> {
    const request = { method: 'GET', path: `${this.#path}/${list}`, query, signal } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(tokenList, request);
    return { tokens: data, total, page, itemsOnPage };
  }
}
