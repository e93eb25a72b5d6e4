import type { ManagementClient } from '../../../management/management-client.js';
import type { RuleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalBody } from '../../../wire/management/refusal.js';
import type { ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';
import type { OriginCure } from './origin-cure.js';

const ITEMS_ON_PAGE = 50;

/** Empty fields select every refusal. */
export interface RefusalFilter {
  readonly reason: RuleRefusalCode | '';
  readonly streamName: string;
}

export interface RefusalPage extends ListPage {
  readonly refusals: readonly RefusalBody[];
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
    const { reason, streamName } = this.#filter;
    const view = await readView<RefusalPage>(async () => {
      const found = await this.#client.oversight.refusals({
        page,
        itemsOnPage: ITEMS_ON_PAGE,
        reason: reason || undefined,
        streamName: streamName || undefined,
      });
      return { ...found, pages: Math.ceil(found.total / ITEMS_ON_PAGE) };
    });
    if (read === this.#reads) this.#onChange(view);
  }

  /** What the rules say now to the same request. @throws {ManagementError} */
  async explain({ kind, tokenId, streamName, origin, address }: RefusalBody): Promise<Explanation> {
    return await this.#client.oversight.explain({
      kind,
      streamName,
      tokenId: tokenId ?? undefined,
      origin: origin ?? undefined,
      ip: address ?? undefined,
    });
  }

  /** Adds the host to the origins that the token permits. @throws {ManagementError} `etag_mismatch`: it has changed meanwhile */
  async allowOrigin({ kind, tokenId, host }: OriginCure): Promise<void> {
    const tokens = kind === 'publish' ? this.#client.publishTokens : this.#client.subscribeTokens;
    const { allowedOrigins, etag } = await tokens.get(tokenId);
    if (allowedOrigins.includes(host)) return;
    await tokens.update(tokenId, { allowedOrigins: [...allowedOrigins, host] }, { ifMatch: etag });
  }
}
