import type { ManagementClient } from '../../../management/management-client.js';
import { ManagementError } from '../../../management/management-error.js';
import { ruleRefusalCode, type RuleRefusalCode } from '../../../wire/director/refusal-code.js';
import type { Explanation } from '../../../wire/management/explain.js';
import type { RefusalBody, RefusalGroupBody } from '../../../wire/management/refusal.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';
import { cureChange, extensions, valueFor, type Cure, type CureChange } from './refusal-cure.js';

const ITEMS_ON_PAGE = 50;
/** The largest groups. More are shown on request. */
const GROUPS_AT_FIRST = 10;
const MOST_GROUPS = 100;
/** The refusals in which the values of a group are looked for. */
const LOOKED_THROUGH = 100;

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
  /** The largest groups of all that match. */
  readonly groups: readonly RefusalGroupBody[];
  readonly hasMoreGroups: boolean;
  /** Number of refusals that could not be stored since the server started. */
  readonly dropped: number;
}

export type RefusalsView = PageView<RefusalPage>;

/** Reads the refused requests, explains them, and changes tokens so that they admit. */
export class RefusalsState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: RefusalsView) => void;
  #filter: RefusalFilter = { reason: '', streamName: '' };
  #groupsShown = GROUPS_AT_FIRST;
  /** Counts the reads, so that a slow answer does not replace a newer one. */
  #reads = 0;

  constructor(client: ManagementClient, onChange: (view: RefusalsView) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** Shows a page of these refusals. */
  async select(filter: RefusalFilter, page = 1): Promise<void> {
    this.#filter = filter;
    this.#groupsShown = GROUPS_AT_FIRST;
    await this.load(page);
  }

  /** Shows as many groups as the server lists at once. */
  async showMoreGroups(page: number): Promise<void> {
    this.#groupsShown = MOST_GROUPS;
    await this.load(page);
  }

  async load(page = 1): Promise<void> {
    this.#reads += 1;
    const read = this.#reads;
    const filter = this.#filter;
    const query = this.#query();
    const view = await readView<RefusalPage>(async () => {
      const [found, { groups, total }] = await Promise.all([
        readPage(page, ITEMS_ON_PAGE, (turned) =>
          this.#client.oversight.refusals({ ...query, page: turned, itemsOnPage: ITEMS_ON_PAGE }),
        ),
        this.#client.oversight.refusalGroups({ ...query, itemsOnPage: this.#groupsShown }),
      ]);
      return {
        ...found,
        filter,
        groups,
        hasMoreGroups: groups.length < Math.min(total, MOST_GROUPS),
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

  /**
   * What a cure can be for, the latest first. Empty: nothing has to be chosen.
   * @throws {ManagementError}
   */
  async valuesFor({ name, reason, kind, tokenId, value }: Cure): Promise<readonly string[]> {
    if (name === 'extend') return extensions;
    if (name === 'enable' || value !== undefined) return [];
    const { refusals } = await this.#client.oversight.refusals({
      ...this.#query(),
      reason: ruleRefusalCode.parse(reason),
      tokenId,
      itemsOnPage: LOOKED_THROUGH,
    });
    const values = refusals.filter((refusal) => refusal.kind === kind).map((refusal) => valueFor(name, refusal) ?? '');
    return [...new Set(values.filter(Boolean))];
  }

  /** Changes the token so that it admits. @throws {ManagementError} `etag_mismatch`: it has changed meanwhile */
  async cure(cure: Cure): Promise<CureChange['outcome']> {
    const { kind, tokenId } = cure;
    const tokens = kind === 'publish' ? this.#client.publishTokens : this.#client.subscribeTokens;
    const { etag, ...token } = await tokens.get(tokenId);
    const change = cureChange(cure, token, Date.now());
    if (change.outcome === 'change') await tokens.update(tokenId, change.fields, { ifMatch: etag });
    return change.outcome;
  }

  #query() {
    const { reason, streamName, tokenId } = this.#filter;
    return { reason: reason || undefined, streamName: streamName || undefined, tokenId };
  }
}
