import {
  streamStatisticsAnswer,
  streamStatisticsList,
  tokenStatisticsAnswer,
  tokenStatisticsList,
  usageAnswer,
  type StatisticsInterval,
  type StreamPeriodStatistics,
  type StreamStatistics,
  type StreamTotal,
  type WorstFiveMinutes,
  type TokenStatistics,
  type TokenStatisticsDetail,
  type UsageDay,
  type UsageTotal,
} from '../wire/management/statistics.js';
import type { ManagementConnection } from './management-connection.js';

export interface StatisticsRange {
  /** ISO 8601 with a time zone. The hour that contains it is the first one. Absent: 30 days before `to`. */
  readonly from?: string | undefined;
  /** ISO 8601 with a time zone. The hour that contains it is the last one. Absent: now. */
  readonly to?: string | undefined;
}

export interface StatisticsListOptions extends StatisticsRange {
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
}

export interface StreamStatisticsOptions extends StatisticsRange {
  /** Absent: `hour`. A day is one of UTC. */
  readonly interval?: StatisticsInterval | undefined;
}

interface Updated {
  /** Sessions up to this time are included. ISO 8601, UTC. */
  readonly updatedOn: string;
}

export interface StatisticsPage extends Updated {
  /** Number of items on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

export interface StreamStatisticsPage extends StatisticsPage {
  readonly streams: readonly StreamStatistics[];
}

export interface TokenStatisticsPage extends StatisticsPage {
  readonly tokens: readonly TokenStatistics[];
}

export interface StreamStatisticsOverTime extends Updated {
  /** In order of time. Periods without a session are left out. */
  readonly periods: readonly StreamPeriodStatistics[];
  readonly total: StreamTotal;
  /** The five minutes in which the picture was frozen most. Null: it never froze, or too little was played. */
  readonly worst: WorstFiveMinutes | null;
}

export interface Usage extends Updated {
  /** As `2026-11`. */
  readonly month: string;
  /** In order of time. Days without a session are left out. */
  readonly days: readonly UsageDay[];
  readonly total: UsageTotal;
}

/** The calls for viewers and hours by stream, token and month. Each throws {@link ManagementError}. */
export class StatisticsCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The streams of the account with their sums, the most watched first. */
  async streams(options: StatisticsListOptions = {}): Promise<StreamStatisticsPage> {
    const request = { method: 'GET', path: '/api/stats/streams', query: { ...options } } as const;
    const { data, total, page, itemsOnPage, updatedOn } = await this.#connection.call(streamStatisticsList, request);
    return { streams: data, total, page, itemsOnPage, updatedOn };
  }

  /** The streams with their sums as CSV: all pages as one table, with a header row. */
  async streamsCsv(options: StatisticsListOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: '/api/stats/streams', query: { ...options } });
  }

  /** The tokens that were used as CSV: all pages as one table, with a header row. */
  async tokensCsv(options: StatisticsListOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: '/api/stats/tokens', query: { ...options } });
  }

  /** One stream of the account over time. */
  async stream(streamName: string, options: StreamStatisticsOptions = {}): Promise<StreamStatisticsOverTime> {
    const path = `/api/stats/streams/${encodeURIComponent(streamName)}`;
    const request = { method: 'GET', path, query: { ...options } } as const;
    const { data, total, worst, updatedOn } = await this.#connection.call(streamStatisticsAnswer, request);
    return { periods: data, total, worst, updatedOn };
  }

  /** The tokens that were used, those with the most media first. Deleted tokens are included. */
  async tokens(options: StatisticsListOptions = {}): Promise<TokenStatisticsPage> {
    const request = { method: 'GET', path: '/api/stats/tokens', query: { ...options } } as const;
    const { data, total, page, itemsOnPage, updatedOn } = await this.#connection.call(tokenStatisticsList, request);
    return { tokens: data, total, page, itemsOnPage, updatedOn };
  }

  /** How one token was used, and from which addresses. @throws {ManagementError} `token_not_found` */
  async token(id: number, options: StatisticsRange = {}): Promise<TokenStatisticsDetail> {
    const request = { method: 'GET', path: `/api/stats/tokens/${id}`, query: { ...options } } as const;
    return (await this.#connection.call(tokenStatisticsAnswer, request)).data;
  }

  /** The hours of a month of UTC. @param month as `2026-11`. Absent: the present month */
  async usage(month?: string): Promise<Usage> {
    const request = { method: 'GET', path: '/api/stats/usage', query: { month } } as const;
    const { data, ...usage } = await this.#connection.call(usageAnswer, request);
    return { days: data, month: usage.month, total: usage.total, updatedOn: usage.updatedOn };
  }
}
