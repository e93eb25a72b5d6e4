import type { RequestHandler, Router } from 'express';
import type {
  StreamPeriodStatistics,
  StreamStatistics,
  TokenStatistics,
  UsageDay,
  UsageTotal,
} from '../../../src/wire/management/statistics.js';
import { InvalidRequestError, NotFoundError } from '../../errors.js';
import { HOUR_MS, hourOf } from '../../statistics/hour-statistics.js';
import type { Statistics } from '../../statistics/statistics.js';
import type { TokenKind } from '../../tokens/token-record.js';
import type { TokenService } from '../../tokens/token-service.js';
import type {
  AccountDay,
  HourRange,
  StreamPeriod,
  StreamSums,
  StreamTotals,
  TokenTotals,
} from '../../statistics/statistics-store.js';
import { success } from '../endpoints/endpoint.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { statisticsEndpoints } from '../endpoints/statistics-endpoints.js';

const DEFAULT_RANGE_MS = 30 * 24 * HOUR_MS;
const ADDRESSES_SHOWN = 20;

export interface StatisticsRoutesOptions {
  readonly statistics: Statistics;
  readonly tokens: Pick<TokenService, 'get'>;
}

/** `/api/stats` */
export function statisticsRoutes(
  { statistics, tokens }: StatisticsRoutesOptions,
  accountAccess: RequestHandler,
): Router {
  const { store } = statistics;
  return endpointRouter(
    statisticsEndpoints,
    {
      async streams({ accountId, query }) {
        const updated = await statistics.refresh();
        const { page, itemsOnPage } = query;
        const range = rangeOf(query, updated);
        const [found, total] = await Promise.all([
          store.streams(accountId, range, { limit: itemsOnPage, offset: (page - 1) * itemsOnPage }),
          store.countStreams(accountId, range),
        ]);
        return success(found.map(streamBody), { total, page, itemsOnPage, updatedOn: textOf(updated) });
      },
      async stream({ accountId, params: { streamName }, query }) {
        const updated = await statistics.refresh();
        const hours = query.interval === 'day' ? 24 : 1;
        const periods = await store.stream(accountId, streamName, rangeOf(query, updated), hours);
        return success(periods.map(periodBody), {
          total: {
            peakViewers: periods.reduce((most, { peakViewers }) => Math.max(most, peakViewers), 0),
            ...sumsBody(sumOf(periods)),
          },
          updatedOn: textOf(updated),
        });
      },
      async tokens({ accountId, query }) {
        const updated = await statistics.refresh();
        const { page, itemsOnPage } = query;
        const range = rangeOf(query, updated);
        const [found, total] = await Promise.all([
          store.tokens(accountId, range, { limit: itemsOnPage, offset: (page - 1) * itemsOnPage }),
          store.countTokens(accountId, range),
        ]);
        return success(found.map(tokenBody), { total, page, itemsOnPage, updatedOn: textOf(updated) });
      },
      async token({ accountId, params: { id }, query }) {
        const updated = await statistics.refresh();
        const [used, addresses] = await Promise.all([
          store.token(accountId, id, rangeOf(query, updated)),
          store.tokenAddresses(accountId, id, ADDRESSES_SHOWN),
        ]);
        const body = used ? tokenBody(used) : { ...UNUSED, tokenId: id, kind: await kindOf(tokens, accountId, id) };
        const latest = addresses.latest.map(({ address, sessions, lastUsedOn }) => ({
          address: address || null,
          sessions,
          lastUsedOn: textOf(lastUsedOn),
        }));
        return success({ ...body, addressCount: addresses.total, addresses: latest }, { updatedOn: textOf(updated) });
      },
      async usage({ accountId, query }) {
        const updated = await statistics.refresh();
        const month = query.month ?? textOf(updated).slice(0, 7);
        const days = await store.days(accountId, monthRange(month));
        return success(days.map(dayBody), { month, total: sumsBody(sumOf(days)), updatedOn: textOf(updated) });
      },
    },
    { accountAccess },
  );
}

const UNUSED = { sessions: 0, watchedSeconds: null, broadcastSeconds: null, firstUsedOn: null, lastUsedOn: null };

/** @throws {NotFoundError} `token_not_found`: the account has no such token */
async function kindOf(tokens: Pick<TokenService, 'get'>, accountId: string, id: number): Promise<TokenKind> {
  try {
    await tokens.get({ accountId, kind: 'subscribe' }, id);
    return 'subscribe';
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    await tokens.get({ accountId, kind: 'publish' }, id);
    return 'publish';
  }
}

/** @throws {InvalidRequestError} the range ends before it begins */
function rangeOf(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): HourRange {
  const end = to === undefined ? now : Date.parse(to);
  const begin = from === undefined ? end - DEFAULT_RANGE_MS : Date.parse(from);
  if (begin > end) throw new InvalidRequestError({ from: ['must not be later than to'] });
  // A range that ends at a full hour does not include the hour that begins then.
  return { from: hourOf(begin), to: Math.max(hourOf(begin) + 1, hourOf(end - 1) + 1) };
}

/** @param month as `2026-11` */
function monthRange(month: string): HourRange {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { from: hourOf(Date.UTC(year, number - 1)), to: hourOf(Date.UTC(year, number)) };
}

function sumOf(all: readonly StreamSums[]): StreamSums {
  const sum = { viewerSessions: 0, watchedMs: 0, publisherSessions: 0, broadcastMs: 0 };
  for (const one of all) {
    sum.viewerSessions += one.viewerSessions;
    sum.watchedMs += one.watchedMs;
    sum.publisherSessions += one.publisherSessions;
    sum.broadcastMs += one.broadcastMs;
  }
  return sum;
}

function streamBody(stream: StreamTotals): StreamStatistics {
  return { streamName: stream.streamName, peakViewers: stream.peakViewers, ...sumsBody(stream) };
}

function periodBody(period: StreamPeriod): StreamPeriodStatistics {
  return { time: textOf(period.hour * HOUR_MS), peakViewers: period.peakViewers, ...sumsBody(period) };
}

function dayBody(day: AccountDay): UsageDay {
  return { time: textOf(day.hour * HOUR_MS), streams: day.streams, ...sumsBody(day) };
}

function sumsBody({ viewerSessions, watchedMs, publisherSessions, broadcastMs }: StreamSums): UsageTotal {
  return {
    viewerSessions,
    watchedSeconds: watchedMs / 1000,
    publisherSessions,
    broadcastSeconds: broadcastMs / 1000,
  };
}

function tokenBody({ tokenId, kind, sessions, mediaMs, firstUsedOn, lastUsedOn }: TokenTotals): TokenStatistics {
  return {
    tokenId,
    kind,
    sessions,
    watchedSeconds: kind === 'subscribe' ? mediaMs / 1000 : null,
    broadcastSeconds: kind === 'publish' ? mediaMs / 1000 : null,
    firstUsedOn: textOf(firstUsedOn),
    lastUsedOn: textOf(lastUsedOn),
  };
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}
