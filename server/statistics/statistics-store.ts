/** Whole hours since 1970, UTC. */
export interface HourRange {
  readonly from: number;
  /** The first hour that does not belong to the range. */
  readonly to: number;
}

export interface StatisticsPage {
  readonly limit: number;
  readonly offset: number;
}

/** Sums of a stream, or of all streams of an account. */
export interface StreamSums {
  readonly viewerSessions: number;
  readonly watchedMs: number;
  readonly publisherSessions: number;
  readonly broadcastMs: number;
}

export interface StreamTotals extends StreamSums {
  readonly streamName: string;
  readonly peakViewers: number;
}

/** The sums of an hour, or of a day that begins with `hour`. */
export interface StreamPeriod extends StreamSums {
  readonly hour: number;
  readonly peakViewers: number;
}

export interface AccountDay extends StreamSums {
  /** The first hour of the day. */
  readonly hour: number;
  /** How many streams had a session. */
  readonly streams: number;
}

export interface TokenTotals {
  readonly tokenId: number;
  readonly kind: 'publish' | 'subscribe';
  readonly sessions: number;
  readonly mediaMs: number;
  /** Milliseconds since 1970. */
  readonly firstUsedOn: number;
  readonly lastUsedOn: number;
}

/** An address that used a token. */
export interface TokenAddress {
  /** Of IPv6 the network with a prefix of 64 bits. Empty: unknown. */
  readonly address: string;
  readonly sessions: number;
  readonly lastUsedOn: number;
}

export interface TokenAddresses {
  /** The number of different addresses, as far as sessions are kept. */
  readonly total: number;
  /** Those that used it last, the latest first. */
  readonly latest: readonly TokenAddress[];
}

/** One page of a list. */
export interface StatisticsList<Row> {
  readonly rows: readonly Row[];
  /** On all pages. */
  readonly total: number;
}

/** Every implementation passes test/server/store/tables/statistics-store.contract.ts. */
export interface StatisticsStore {
  /** The hours in which sessions were saved since they were last rolled up, in order. */
  hoursToRollUp(): Promise<readonly number[]>;
  /**
   * Replaces the sums of an hour. All of it is done or nothing, and repeating it changes nothing.
   * @param isOver no session of the hour can change any more, unless it is saved again
   */
  rollUp(hour: number, isOver: boolean): Promise<void>;
  /** The most watched first. */
  streams(accountId: string, range: HourRange, page: StatisticsPage): Promise<StatisticsList<StreamTotals>>;
  /** In order of time. Periods without a session are left out. @param hours 1 or 24 */
  stream(accountId: string, streamName: string, range: HourRange, hours: 1 | 24): Promise<readonly StreamPeriod[]>;
  /** In order of time. Days (UTC) without a session are left out. */
  days(accountId: string, range: HourRange): Promise<readonly AccountDay[]>;
  /** Those with the most media first. */
  tokens(accountId: string, range: HourRange, page: StatisticsPage): Promise<StatisticsList<TokenTotals>>;
  /** Undefined: no session used the token in the range. */
  token(accountId: string, tokenId: number, range: HourRange): Promise<TokenTotals | undefined>;
  tokenAddresses(accountId: string, tokenId: number, limit: number): Promise<TokenAddresses>;
  /** Deletes the sums of the hours before this one. */
  prune(hour: number): Promise<void>;
}
