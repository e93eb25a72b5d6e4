import * as z from 'zod/mini';
import { streamName } from '../text.js';
import { pageAnswer, paging } from './paging.js';
import { tokenId } from './token.js';

/** ISO 8601 with a time zone. */
const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-20T13:00:00Z' });

/** Whole hours: the hour that contains `from`, up to the hour that contains `to`. */
const range = {
  /** Absent: 30 days before `to`. */
  from: z.optional(time),
  /** Absent: now. */
  to: z.optional(time),
};

export const statisticsInterval = z.enum(['hour', 'day']);

export type StatisticsInterval = z.infer<typeof statisticsInterval>;

/** The query of `GET /api/stats/streams` and `GET /api/stats/tokens`. */
export const statisticsListQuery = z.strictObject({ ...range, ...paging });
/** The query of `GET /api/stats/streams/{streamName}`. */
export const streamStatisticsQuery = z.strictObject({ ...range, interval: z._default(statisticsInterval, 'hour') });
/** The query of `GET /api/stats/tokens/{id}`. */
export const tokenStatisticsQuery = z.strictObject(range);
/** The query of `GET /api/stats/usage`. */
export const usageQuery = z.strictObject({
  /** A month of UTC. Absent: the present month. */
  month: z.optional(z.string().check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11'))),
});

export const streamStatisticsPath = z.strictObject({ streamName });
export const tokenStatisticsPath = z.strictObject({ id: tokenId });

const sums = {
  /** The sessions of viewers that opened in this time. */
  viewerSessions: z.int(),
  /** How long media reached viewers: the sum of all. */
  watchedSeconds: z.number(),
  /** The sessions of broadcasters that opened in this time. */
  publisherSessions: z.int(),
  /** Time on air. With several sources at once the sum of all. */
  broadcastSeconds: z.number(),
};

const peak = {
  /** The most viewers at one time. */
  peakViewers: z.int(),
};

/** What the tags of viewers reported. Null: nothing. */
export const viewingQuality = z.looseObject({
  /** How long the media was played, for all viewers together. */
  playedSeconds: z.number(),
  freezes: z.int(),
  frozenSeconds: z.number(),
  /** Half of the first pictures, and 95 of 100, came within this time of the start of the viewer. Null: not known. */
  firstPictureMedianSeconds: z.nullable(z.number()),
  firstPictureP95Seconds: z.nullable(z.number()),
  /** Average of the reports, in pixels. Null: not known. */
  height: z.nullable(z.int()),
  roundTripSeconds: z.nullable(z.number()),
  /** Lost packets as a part of all, 0 to 1. Null: none arrived. */
  loss: z.nullable(z.number()),
});

export type ViewingQualityBody = z.infer<typeof viewingQuality>;

const quality = { quality: z.nullable(viewingQuality) };

/** The five minutes in which the picture was frozen for the largest part of the time. */
export const worstFiveMinutes = z.looseObject({
  /** When they begin. ISO 8601, UTC. */
  time: z.string(),
  /** How many viewers reported, and how many of them saw the picture freeze. */
  viewers: z.int(),
  frozenViewers: z.int(),
  /**
   * The likely cause. `server_load`: the server was overloaded. `broadcast`: most viewers had it, without loss. `server_network`: most viewers lost packets.
   * `viewer_network`: few viewers lost packets. `viewer_device`: few viewers had it, without loss.
   */
  cause: z.string(),
  ...viewingQuality.shape,
});

export type WorstFiveMinutes = z.infer<typeof worstFiveMinutes>;

/** What the sums include: sessions up to this time (ISO 8601, UTC). */
const updatedOn = { updatedOn: z.string() };

export const streamStatistics = z.looseObject({ streamName: z.string(), ...peak, ...sums, ...quality });

/** An hour, or a day of UTC. */
export const streamPeriod = z.looseObject({
  /** When it begins. ISO 8601, UTC. */
  time: z.string(),
  ...peak,
  ...sums,
  ...quality,
});

export const usageDay = z.looseObject({
  /** When the day begins. ISO 8601, UTC. */
  time: z.string(),
  /** How many streams had a session. */
  streams: z.int(),
  ...sums,
});

const tokenSums = {
  tokenId: z.int(),
  /** The label of the token, as it is now. Null: it has none, or the token does not exist any more. */
  tokenLabel: z.optional(z.nullable(z.string())),
  /** `publish` or `subscribe`. */
  kind: z.string(),
  /** The sessions that opened in this time. */
  sessions: z.int(),
  /** How long media reached viewers with this token. Null: a publish token. */
  watchedSeconds: z.nullable(z.number()),
  /** Time on air with this token. Null: a subscribe token. */
  broadcastSeconds: z.nullable(z.number()),
  /** ISO 8601, UTC. */
  firstUsedOn: z.string(),
  lastUsedOn: z.string(),
};

export const tokenStatistics = z.looseObject(tokenSums);

export const tokenAddressStatistics = z.looseObject({
  /** An IPv4 address, or the network of an IPv6 address with a prefix of 64 bits. Null: unknown. */
  address: z.nullable(z.string()),
  sessions: z.int(),
  lastUsedOn: z.string(),
});

export const tokenStatisticsDetail = z.looseObject({
  ...tokenSums,
  /** Null: not used in this time. */
  firstUsedOn: z.nullable(z.string()),
  lastUsedOn: z.nullable(z.string()),
  /** The number of different addresses, for as long as sessions are kept. */
  addressCount: z.int(),
  /** The 20 addresses that used it last, the latest first. */
  addresses: z.array(tokenAddressStatistics),
});

export type StreamStatistics = z.infer<typeof streamStatistics>;
export type StreamPeriodStatistics = z.infer<typeof streamPeriod>;
export type UsageDay = z.infer<typeof usageDay>;
export type TokenStatistics = z.infer<typeof tokenStatistics>;
export type TokenStatisticsDetail = z.infer<typeof tokenStatisticsDetail>;

const total = z.looseObject(sums);
const streamTotal = z.looseObject({ ...peak, ...sums, ...quality });

export type UsageTotal = z.infer<typeof total>;
export type StreamTotal = z.infer<typeof streamTotal>;

const succeeded = { status: z.literal('success') };

/** Answer of `GET /api/stats/streams`, the most watched first. */
export const streamStatisticsList = z.object({
  ...succeeded,
  data: z.array(streamStatistics),
  ...pageAnswer,
  ...updatedOn,
});

/** Answer of `GET /api/stats/streams/{streamName}`. Periods without a session are left out. */
export const streamStatisticsAnswer = z.object({
  ...succeeded,
  data: z.array(streamPeriod),
  total: streamTotal,
  /** Null: no picture froze, or less than a minute was played, or it is longer ago than SESSIONS_KEPT_DAYS. */
  worst: z.nullable(worstFiveMinutes),
  ...updatedOn,
});

/** Answer of `GET /api/stats/tokens`, those with the most media first. */
export const tokenStatisticsList = z.object({
  ...succeeded,
  data: z.array(tokenStatistics),
  ...pageAnswer,
  ...updatedOn,
});

/** Answer of `GET /api/stats/tokens/{id}`. */
export const tokenStatisticsAnswer = z.object({ ...succeeded, data: tokenStatisticsDetail, ...updatedOn });

/** Answer of `GET /api/stats/usage`: the days of a month. Days without a session are left out. */
export const usageAnswer = z.object({
  ...succeeded,
  data: z.array(usageDay),
  /** As `2026-11`. */
  month: z.string(),
  total,
  ...updatedOn,
});
