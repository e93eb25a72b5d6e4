import type { ManagementClient } from '../../../management/management-client.js';
import type { StreamStatistics } from '../../../wire/management/statistics.js';
import type { TokenBody } from '../../../wire/management/token.js';
import { broadcasterLink } from '../../address.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';
import { isRecorded } from '../published-stream.js';
import type { ServerReport } from './server-report.js';
import { usableFor } from './token-view.js';
import { createViewerLink, findViewerLink, type Lifetime } from './viewer-link.js';
import type { ViewerLinkDraft } from './viewer-link-dialog.js';

const ITEMS_ON_PAGE = 20;

/** The time of the results that are shown. */
const RESULTS_MS = 24 * 3_600_000;
const RESULTS_SHOWN = 5;

export interface TokenPage extends ListPage {
  readonly tokens: readonly TokenBody[];
  /** What was broadcast in the last 24 hours, the most watched first. */
  readonly results: readonly StreamStatistics[];
  /** What the server says of itself. */
  readonly reports: readonly ServerReport[];
}

export type HomeView = PageView<TokenPage>;

/** Reads the publish tokens, and makes the links to broadcast and to watch. */
export class HomeState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: HomeView) => void;
  readonly #reports: () => Promise<readonly ServerReport[]>;
  #view: HomeView = { name: 'loading' };
  #reads = 0;

  /** @param reports must not reject */
  constructor(
    client: ManagementClient,
    onChange: (view: HomeView) => void,
    reports: () => Promise<readonly ServerReport[]>,
  ) {
    this.#client = client;
    this.#onChange = onChange;
    this.#reports = reports;
  }

  async load(page = 1): Promise<void> {
    const read = (this.#reads += 1);
    const view = await readView<TokenPage>(async () => {
      const order = { itemsOnPage: ITEMS_ON_PAGE, sortBy: 'AddedOn', isDescending: true } as const;
      const [list, { streams }, reports] = await Promise.all([
        readPage(page, ITEMS_ON_PAGE, (turned) => this.#client.publishTokens.list({ ...order, page: turned })),
        this.#client.statistics.streams({
          from: new Date(Date.now() - RESULTS_MS).toISOString(),
          itemsOnPage: RESULTS_SHOWN,
        }),
        this.#reports(),
      ]);
      const results = streams.filter(({ broadcastSeconds }) => broadcastSeconds > 0);
      return { ...list, results, reports };
    });
    // A later read has a newer answer.
    if (read !== this.#reads) return;
    this.#view = view;
    this.#onChange(view);
  }

  /** The URL of the hosted broadcaster for this stream name. @throws {ManagementError} */
  async broadcast(accountId: string, streamName: string): Promise<string> {
    const known = this.#view.name === 'ready' ? usableFor(streamName, this.#view.tokens, Date.now()) : undefined;
    const { token } =
      known ?? (await this.#client.publishTokens.create({ label: streamName, streams: [{ streamName }] }));
    return broadcasterLink(location.origin, { accountId, streamName, token });
  }

  /** The link for viewers that was made before. @throws {ManagementError} */
  async viewerLink(streamName: string): Promise<ViewerLinkDraft> {
    const [token, dvr] = await Promise.all([
      findViewerLink(this.#client, streamName),
      isRecorded(this.#client, streamName),
    ]);
    return { streamName, token, dvr };
  }

  /** Makes another link for viewers. @throws {ManagementError} */
  async createViewerLink(draft: ViewerLinkDraft, lifetime: Lifetime): Promise<ViewerLinkDraft> {
    return { ...draft, token: await createViewerLink(this.#client, draft.streamName, lifetime) };
  }

  /** @throws {ManagementError} */
  async remove(id: number): Promise<void> {
    await this.#client.publishTokens.delete(id);
    if (this.#view.name !== 'ready') return;
    await this.load(this.#view.page);
  }
}
