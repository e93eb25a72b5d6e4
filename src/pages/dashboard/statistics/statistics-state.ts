import type { ManagementClient } from '../../../management/management-client.js';
import type { SessionBody, SessionDetailBody } from '../../../wire/management/session.js';
import type {
  StatisticsInterval,
  StreamStatistics,
  StreamTotal,
  WorstFiveMinutes,
  TokenStatistics,
  TokenStatisticsDetail,
} from '../../../wire/management/statistics.js';
import { readPage, type ListPage } from '../page-buttons.js';
import { readView, type PageView } from '../page-view.js';
import type { TimePoint } from '../time-chart.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STREAMS_ON_PAGE = 20;
const TOKENS_SHOWN = 20;
const SESSIONS_ON_PAGE = 20;

export const rangeNames = ['day', 'week', 'month', 'year'] as const;

export type RangeName = (typeof rangeNames)[number];

export const USUAL_RANGE: RangeName = 'week';

const RANGES: Readonly<Record<RangeName, { readonly lastsMs: number; readonly interval: StatisticsInterval }>> = {
  day: { lastsMs: DAY_MS, interval: 'hour' },
  week: { lastsMs: 7 * DAY_MS, interval: 'hour' },
  month: { lastsMs: 30 * DAY_MS, interval: 'day' },
  year: { lastsMs: 365 * DAY_MS, interval: 'day' },
};

/** One stream over time, and its sessions. */
export interface StreamDetail {
  readonly streamName: string;
  readonly total: StreamTotal;
  readonly worst: WorstFiveMinutes | null;
  /** The peak of each hour or day, with zero where there was no session. */
  readonly peaks: readonly TimePoint[];
  /** The newest first. */
  readonly sessions: readonly SessionBody[];
  /** The cursor of further sessions. Null: there are none. */
  readonly next: string | null;
}

export interface StatisticsContent extends ListPage {
  readonly range: RangeName;
  /** The most watched first. */
  readonly streams: readonly StreamStatistics[];
  /** Those with the most media first. */
  readonly tokens: readonly TokenStatistics[];
  readonly detail: StreamDetail | undefined;
}

/** What a person wants to see. */
export interface StatisticsChoice {
  readonly range: RangeName;
  /** Of the streams, from 1. */
  readonly page: number;
  /** The stream to show over time with its sessions. Undefined: none. */
  readonly streamName: string | undefined;
}

export type StatisticsView = PageView<StatisticsContent>;

export interface StatisticsStateOptions {
  readonly client: ManagementClient;
  readonly onChange: (view: StatisticsView) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Reads what was watched: all streams and tokens of a time, one stream with its sessions, one session, one token. */
export class StatisticsState {
  readonly #client: ManagementClient;
  readonly #onChange: (view: StatisticsView) => void;
  readonly #now: () => number;
  #view: StatisticsView = { name: 'loading' };
  #range: RangeName = USUAL_RANGE;
  /** Counts the reads, so that a slow answer does not replace a newer one. */
  #reads = 0;

  constructor({ client, onChange, now = Date.now }: StatisticsStateOptions) {
    this.#client = client;
    this.#onChange = onChange;
    this.#now = now;
  }

  /** What is shown already is not read again for one more stream. */
  async load({ range = USUAL_RANGE, page = 1, streamName }: Partial<StatisticsChoice> = {}): Promise<void> {
    const view = this.#view;
    const isShown = streamName !== undefined && view.name === 'ready' && view.range === range && view.page === page;
    this.#range = range;
    await this.#read(async () => ({
      ...(isShown ? view : await this.#lists(page)),
      detail: streamName === undefined ? undefined : await this.#detailOf(streamName),
    }));
  }

  /** Adds further sessions of the stream that is shown. */
  async loadMore(): Promise<void> {
    const view = this.#view;
    if (view.name !== 'ready' || !view.detail?.next) return;
    const { detail } = view;
    await this.#read(async () => {
      const { sessions, next } = await this.#sessionsOf(detail.streamName, detail.next ?? undefined);
      return { ...view, detail: { ...detail, sessions: [...detail.sessions, ...sessions], next } };
    });
  }

  /** @throws {ManagementError} */
  async streamsCsv(): Promise<string> {
    return await this.#client.statistics.streamsCsv({ from: this.#from() });
  }

  /** @throws {ManagementError} */
  async tokensCsv(): Promise<string> {
    return await this.#client.statistics.tokensCsv({ from: this.#from() });
  }

  /** @throws {ManagementError} */
  async sessionsCsv(streamName: string): Promise<string> {
    return await this.#client.sessions.csv(streamName, { from: this.#from() });
  }

  /** A session with its timeline. @throws {ManagementError} */
  async session({ streamName, id }: SessionBody): Promise<SessionDetailBody> {
    return await this.#client.sessions.get(streamName, id);
  }

  /** A token with the addresses that used it. @throws {ManagementError} */
  async token(id: number): Promise<TokenStatisticsDetail> {
    return await this.#client.statistics.token(id, { from: this.#from() });
  }

  async #lists(page: number): Promise<StatisticsContent> {
    const range = this.#range;
    const from = this.#from();
    const [list, { tokens }] = await Promise.all([
      readPage(page, STREAMS_ON_PAGE, (turned) =>
        this.#client.statistics.streams({ from, page: turned, itemsOnPage: STREAMS_ON_PAGE }),
      ),
      this.#client.statistics.tokens({ from, itemsOnPage: TOKENS_SHOWN }),
    ]);
    return { range, ...list, tokens, detail: undefined };
  }

  async #detailOf(streamName: string): Promise<StreamDetail> {
    const { interval, lastsMs } = RANGES[this.#range];
    const [{ periods, total, worst }, page] = await Promise.all([
      this.#client.statistics.stream(streamName, { from: this.#from(), interval }),
      this.#sessionsOf(streamName),
    ]);
    const peaks = withZeros(
      periods.map(({ time, peakViewers }) => ({ time: Date.parse(time), value: peakViewers })),
      { from: this.#now() - lastsMs, to: this.#now(), everyMs: interval === 'day' ? DAY_MS : HOUR_MS },
    );
    return { streamName, total, worst, peaks, ...page };
  }

  async #sessionsOf(streamName: string, cursor?: string): Promise<Pick<StreamDetail, 'sessions' | 'next'>> {
    const itemsOnPage = SESSIONS_ON_PAGE;
    return await this.#client.sessions.list(streamName, { from: this.#from(), itemsOnPage, cursor });
  }

  #from(): string {
    return new Date(this.#now() - RANGES[this.#range].lastsMs).toISOString();
  }

  async #read(read: () => Promise<StatisticsContent>): Promise<void> {
    this.#reads += 1;
    const turn = this.#reads;
    const view = await readView(read);
    if (turn !== this.#reads) return;
    this.#view = view;
    this.#onChange(view);
  }
}

/**
 * A point for each period from `from` to `to`, and one at the end of the last. Periods that have none get zero. All
 * times are milliseconds.
 */
export function withZeros(
  points: readonly TimePoint[],
  { from, to, everyMs }: { readonly from: number; readonly to: number; readonly everyMs: number },
): readonly TimePoint[] {
  const known = new Map(points.map(({ time, value }) => [time, value]));
  const first = Math.floor(from / everyMs) * everyMs;
  const count = Math.floor((to - first) / everyMs) + 1;
  const values = Array.from({ length: count }, (_, index) => known.get(first + index * everyMs) ?? 0);
  return [...values, values.at(-1) ?? 0].map((value, index) => ({ time: first + index * everyMs, value }));
}
