import type { ManagementClient } from '../../../management/management-client.js';
import { ManagementError } from '../../../management/management-error.js';
import type { RuleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalBody, RefusalGroupBody } from '../../../wire/management/refusal.js';
import type { ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';
import type { OriginCure } from './origin-cure.js';

const ITEMS_ON_PAGE = 50;
/** How many groups are shown: the largest. */
const GROUPS_SHOWN = 5;

/** No token has this value. The log of refusals does not keep the value that was presented. */
const UNKNOWN_TOKEN = 'unknown';

/** Empty fields select every refusal. */
export interface RefusalFilter {
  readonly reason: RuleRefusalCode | '';
  readonly streamName: string;
  /** Undefined: any token, or none. */
  readonly tokenId?: number | undefined;
}

export interface RefusalPage extends ListPage {
  /** What these refusals were selected by. */
  readonly filter: RefusalFilter;
  readonly refusals: readonly RefusalBody[];
  /** The largest groups of all that match. Empty: each refusal is a group of its own. */
  readonly groups: readonly RefusalGroupBody[];
  /** Number of refusals that could not be stored since the server started. */
  readonly dropped: number;
}

export type RefusalsView = PageView<RefusalPage>;

/** Reads the refused requests, explains them, and permits an origin on a token. */
export class RefusalsState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: RefusalsView) => void;
  #filter: RefusalFilter = { reason: '', streamName: '' };
  /** Counts the reads, so that a slow answer does not replace a newer one. */
  #reads = 0;

  constructor(client: ManagementClient, onChange: (view: RefusalsView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** Shows the first page of these refusals. */
  async select(filter: RefusalFilter): Promise<void> {
    this.#filter = filter;
    await this.load();
  }

  async load(page = 1): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const filter = this.#filter;
    const query = this.#query();
    const view = await readView<RefusalPage>(async () => {
      const [found, { groups, total }] = await Promise.all([
        this.#client.oversight.refusals({ ...query, page, itemsOnPage: ITEMS_ON_PAGE }),
        this.#client.oversight.refusalGroups({ ...query, itemsOnPage: GROUPS_SHOWN }),
      ]);
      const isGrouped = total < found.total;
      return {
        ...found,
        filter,
        groups: isGrouped ? groups : [],
        pages: Math.ceil(found.total / ITEMS_ON_PAGE),
      };
    });
    if (read === this.#reads) this.#onChange(view);
  }

  /** The selected refusals, on all pages. @throws {ManagementError} */
  async csv(): Promise<string> {
    return await this.#client.oversight.refusalsCsv(this.#query());
  }

  /** What the rules say now to the same request. @throws {ManagementError} */
  async explain({ kind, tokenId, streamName, origin, address, reason }: RefusalBody): Promise<Explanation> {
    const request = { kind, streamName, origin: origin ?? undefined, ip: address ?? undefined };
    const withUnknownToken = { ...request, token: UNKNOWN_TOKEN };
    if (tokenId === null) {
      return await this.#client.oversight.explain(reason === 'token_unknown' ? withUnknownToken : request);
    }
    try {
      return await this.#client.oversight.explain({ ...request, tokenId });
    } catch (error) {
      const isDeleted = error instanceof ManagementError && error.code === 'token_not_found';
      if (isDeleted) return await this.#client.oversight.explain(withUnknownToken);
      throw error;
    }
  }

  /** Adds the host to the origins that the token permits. @throws {ManagementError} `etag_mismatch`: it has changed meanwhile */
  async allowOrigin({ kind, tokenId, host }: OriginCure): Promise<void> {
    const tokens = kind === 'publish' ? this.#client.publishTokens : this.#client.subscribeTokens;
    const { allowedOrigins, etag } = await tokens.get(tokenId);
    if (allowedOrigins.includes(host)) return;
    await tokens.update(tokenId, { allowedOrigins: [...allowedOrigins, host] }, { ifMatch: etag });
  }

  #query() {
    const { reason, streamName, tokenId } = this.#filter;
    return { reason: reason || undefined, streamName: streamName || undefined, tokenId };
  }
}
