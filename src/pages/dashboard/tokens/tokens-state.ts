import { ManagementError } from '../../../management/management-error.js';
import type { ManagementClient } from '../../../management/management-client.js';
import type { TaggedToken } from '../../../management/token-calls.js';
import type { Explanation, ExplainRequest } from '../../../wire/management/explain.js';
import { MAX_TOKENS_AT_ONCE, type BulkAction, type BulkResult } from '../../../wire/management/token-bulk.js';
import type { TokenBody, TokenState } from '../../../wire/management/token.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';
import { isRecorded } from '../published-stream.js';
import type { TokenKind } from './token-kind.js';

const ITEMS_ON_PAGE = 20;
/** What the server allows. */
const MOST_ON_PAGE = 100;

const SORTS = {
  newest: { sortBy: 'AddedOn', isDescending: true },
  oldest: { sortBy: 'AddedOn', isDescending: false },
  label: { sortBy: 'Name', isDescending: false },
  labelDescending: { sortBy: 'Name', isDescending: true },
  expiresFirst: { sortBy: 'ExpiresOn', isDescending: false },
  expiresLast: { sortBy: 'ExpiresOn', isDescending: true },
} as const;

export type TokenSort = keyof typeof SORTS;

export const tokenSorts = Object.keys(SORTS) as readonly TokenSort[];

export const tokenStates: readonly TokenState[] = ['active', 'disabled', 'expired'];

export interface TokenFilter {
  readonly kind: TokenKind;
  /** Any part of a label or stream name, as it was typed. Empty: every token. */
  readonly search: string;
  /** Undefined: any. */
  readonly state: TokenState | undefined;
  readonly sort: TokenSort;
}

export const firstFilter: TokenFilter = { kind: 'publish', search: '', state: undefined, sort: 'newest' };

export interface TokenPage extends ListPage {
  /** What these tokens were selected by. */
  readonly filter: TokenFilter;
  readonly tokens: readonly TokenBody[];
}

export type TokensView = PageView<TokenPage>;

/** Reads and changes the tokens of both kinds. Each change throws {@link ManagementError}. */
export type CheckedTable =
  | { readonly step: 'checked'; readonly csv: string; readonly count: number }
  /** What is wrong, by the line of the file. */
  | { readonly step: 'faulty'; readonly faults: Readonly<Record<string, readonly string[]>> };

export class TokensState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: TokensView) => void;
  #filter = firstFilter;
  #view: TokensView = { name: 'loading' };
  /** The read that is under way. The next one aborts it. */
  #read = new AbortController();

  constructor(client: ManagementClient, onChange: (view: TokensView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** Shows a page of these tokens. */
  async select(filter: TokenFilter, page = 1): Promise<void> {
    this.#filter = filter;
    await this.load(page);
  }

  async load(page = 1): Promise<void> {
    this.#read.abort();
    this.#read = new AbortController();
    const { signal } = this.#read;
    const filter = this.#filter;
    if (this.#view.name !== 'ready') this.#show({ name: 'loading' });
    const view = await readView<TokenPage>(async () => {
      const options = { ...this.#query(), itemsOnPage: ITEMS_ON_PAGE, signal };
      const calls = this.#calls(filter.kind);
      return { filter, ...(await readPage(page, ITEMS_ON_PAGE, (turned) => calls.list({ ...options, page: turned }))) };
    });
    if (!signal.aborted) this.#show(view);
  }

  /** The tokens that match the filter, without their values. @throws {ManagementError} */
  async csv(): Promise<string> {
    return await this.#calls(this.#filter.kind).csv(this.#query());
  }

  /** See `isRecorded`. @throws {ManagementError} */
  async isRecorded(streamName: string): Promise<boolean> {
    return await isRecorded(this.#client, streamName);
  }

  /** Asks the server what a table describes, and creates nothing. @throws {ManagementError} it could not be asked */
  async checkTable(csv: string, kind: TokenKind): Promise<CheckedTable> {
    try {
      const { count } = await this.#calls(kind).import(csv, { dryRun: true });
      return { step: 'checked', csv, count };
    } catch (error) {
      if (error instanceof ManagementError && error.errors) return { step: 'faulty', faults: error.errors };
      throw error;
    }
  }

  /** Creates the tokens of a table. Returns a table of their links. @throws {ManagementError} */
  async importTable(csv: string, kind: TokenKind): Promise<string> {
    const links = await this.#calls(kind).importForLinks(csv);
    await this.load();
    return links;
  }

  /** The ids of the tokens that match the filter, in its order, up to as many as can be changed at once. */
  async matchingIds(): Promise<readonly number[]> {
    const ids = new Set<number>();
    const { kind } = this.#filter;
    const query = this.#query();
    for (let page = 1; ids.size < MAX_TOKENS_AT_ONCE; page += 1) {
      const { tokens, total } = await this.#calls(kind).list({ ...query, page, itemsOnPage: MOST_ON_PAGE });
      for (const { id } of tokens) ids.add(id);
      if (page * MOST_ON_PAGE >= total) break;
    }
    return [...ids].slice(0, MAX_TOKENS_AT_ONCE);
  }

  async changeSeveral(action: BulkAction, ids: readonly number[], kind: TokenKind): Promise<readonly BulkResult[]> {
    const results = await this.#calls(kind).changeSeveral(action, ids);
    await this.#reload();
    return results;
  }

  /** How many broadcasts or viewers are connected with these tokens. Undefined if that cannot be read. */
  async openSessions(ids: readonly number[], kind: TokenKind): Promise<number | undefined> {
    return await this.#calls(kind)
      .openSessions(ids)
      .catch(() => undefined);
  }

  /** The token as it is now, with its ETag. */
  async read(id: number, kind: TokenKind): Promise<TaggedToken> {
    return await this.#calls(kind).get(id);
  }

  async setActive({ id }: TokenBody, kind: TokenKind, isActive: boolean): Promise<void> {
    await this.#calls(kind).update(id, { isActive });
    await this.#reload();
  }

  /** Gives the token a new value. Returns the token with it. */
  async refresh({ id }: TokenBody, kind: TokenKind): Promise<TokenBody> {
    const token = await this.#calls(kind).update(id, { refreshToken: true });
    await this.#reload();
    return token;
  }

  async remove({ id }: TokenBody, kind: TokenKind): Promise<void> {
    await this.#calls(kind).delete(id);
    await this.#reload();
  }

  /** The names of the streams that the publish token broadcasts now. Empty too if they cannot be read. */
  async liveStreams({ id }: TokenBody): Promise<readonly string[]> {
    const live = await this.#client.streams.live().catch(() => []);
    return live
      .filter(({ sources }) => sources.some(({ tokenId }) => tokenId === id))
      .map((stream) => stream.streamName);
  }

  /** What the rules would say now to a request. */
  async explain(request: ExplainRequest): Promise<Explanation> {
    return await this.#client.oversight.explain(request);
  }

  #query() {
    const { search, state, sort } = this.#filter;
    return { ...SORTS[sort], state, search: search.trim() };
  }

  #calls(kind: TokenKind) {
    return kind === 'publish' ? this.#client.publishTokens : this.#client.subscribeTokens;
  }

  /** Reads the present page again, or the last one if there are fewer pages now. */
  async #reload(): Promise<void> {
    const page = this.#view.name === 'ready' ? this.#view.page : 1;
    await this.load(page);
    if (this.#view.name === 'ready' && this.#view.tokens.length === 0 && page > 1) {
      await this.load(Math.max(1, this.#view.pages));
    }
  }

  #show(view: TokensView): void {
    this.#view = view;
    this.#onChange(view);
  }
}
