import type { RequestHandler, Router } from 'express';
import type {
  StreamPeriodStatistics,
  StreamStatistics,
  TokenStatistics,
  UsageDay,
  UsageTotal,
  ViewingQualityBody,
  WorstFiveMinutes,
} from '../../../src/wire/management/statistics.js';
import { InvalidRequestError, NotFoundError } from '../../errors.js';
import { lossOf } from '../../oversight/viewing-quality.js';
import { HOUR_MS, hourOf } from '../../statistics/hour-statistics.js';
import type { Statistics } from '../../statistics/statistics.js';
import type { TokenKind } from '../../tokens/token-record.js';
import type { TokenLabels } from '../../tokens/token-labels.js';
import { withTokenLabels } from './labelled-tokens.js';
import type { TokenService } from '../../tokens/token-service.js';
import type {
  AccountDay,
  HourRange,
  StreamPeriod,
  StreamSums,
  StreamTotals,
  TokenTotals,
} from '../../statistics/statistics-store.js';
import {
  addSums,
  firstPictureQuantile,
  freezeCause,
  NO_SUMS,
  SLOT_MS,
  type ViewingSlot,
  type ViewingSums,
} from '../../statistics/viewing-sums.js';
import { success } from '../endpoints/endpoint.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { statisticsEndpoints } from '../endpoints/statistics-endpoints.js';
import { linkNextPage } from '../request/next-page.js';

const DEFAULT_RANGE_MS = 30 * 24 * HOUR_MS;
const ADDRESSES_SHOWN = 20;
/** With less time played, a single viewer would decide which five minutes were the worst. */
const WORST_LEAST_MS = 60_000;

export interface StatisticsRoutesOptions {
  readonly statistics: Statistics;
  readonly tokens: Pick<TokenService, 'get'>;
  readonly labels: TokenLabels;
}

/** `/api/stats` */
export function statisticsRoutes(
  { statistics, tokens, labels }: StatisticsRoutesOptions,
  accountAccess: RequestHandler,
): Router {
  const { store, viewing } = statistics;
  return endpointRouter(
    statisticsEndpoints,
    {
      async streams({ accountId, query, req, res }) {
        const updated = await statistics.refresh();
        const { page, itemsOnPage } = query;
        const range = rangeOf(query, updated);
        const offset = (page - 1) * itemsOnPage;
        const { rows: found, total } = await store.streams(accountId, range, { limit: itemsOnPage, offset });
        const names = found.map(({ streamName }) => streamName);
        const quality = await viewing.streams(accountId, range, names);
        const bodies = found.map((stream) => streamBody(stream, quality.get(stream.streamName)));
        linkNextPage(req, res, query, total);
        return success(bodies, { total, page, itemsOnPage, updatedOn: textOf(updated) });
      },
      async stream({ accountId, params: { streamName }, query }) {
        const updated = await statistics.refresh();
        const hours = query.interval === 'day' ? 24 : 1;
        const range = rangeOf(query, updated);
        const [periods, reported, worst] = await Promise.all([
          store.stream(accountId, streamName, range, hours),
          viewing.stream(accountId, streamName, range, hours),
          viewing.worst(accountId, streamName, range, WORST_LEAST_MS),
        ]);
        const quality = new Map(reported.map((sums) => [sums.hour, sums]));
        const bodies = periods.map((period) => periodBody(period, quality.get(period.hour)));
        return success(bodies, {
          total: {
            peakViewers: periods.reduce((most, { peakViewers }) => Math.max(most, peakViewers), 0),
            ...sumsBody(sumOf(periods)),
            quality: qualityBody(reported.length > 0 ? reported.reduce(addSums, NO_SUMS) : undefined),
          },
          worst: worst ? worstBody(worst) : null,
          updatedOn: textOf(updated),
        });
      },
      async tokens({ accountId, query, req, res }) {
        const updated = await statistics.refresh();
        const { page, itemsOnPage } = query;
        const range = rangeOf(query, updated);
        const offset = (page - 1) * itemsOnPage;
        const { rows: found, total } = await store.tokens(accountId, range, { limit: itemsOnPage, offset });
        linkNextPage(req, res, query, total);
        const bodies = await withTokenLabels(labels, req, found.map(tokenBody));
        return success(bodies, { total, page, itemsOnPage, updatedOn: textOf(updated) });
      },
      async token({ accountId, params: { id }, query, req }) {
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
        const [named] = await withTokenLabels(labels, req, [body]);
        return success({ ...named!, addressCount: addresses.total, addresses: latest }, { updatedOn: textOf(updated) });
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

function streamBody(stream: StreamTotals, reported: ViewingSums | undefined): StreamStatistics {
  const { streamName, peakViewers } = stream;
  return { streamName, peakViewers, ...sumsBody(stream), quality: qualityBody(reported) };
}

function periodBody(period: StreamPeriod, reported: ViewingSums | undefined): StreamPeriodStatistics {
  const { hour, peakViewers } = period;
  return { time: textOf(hour * HOUR_MS), peakViewers, ...sumsBody(period), quality: qualityBody(reported) };
}

function qualityBody(sums: ViewingSums | undefined): ViewingQualityBody | null {
  return sums === undefined ? null : viewingBody(sums);
}

function viewingBody(sums: ViewingSums): ViewingQualityBody {
  const { playedMs, freezes, frozenMs, height, heights, roundTripMs, roundTrips, firstPictures } = sums;
  const firstPicture = (part: number): number | null => {
    const found = firstPictureQuantile(firstPictures, part);
    return found === undefined ? null : Math.round(found) / 1000;
  };
  return {
    playedSeconds: playedMs / 1000,
    freezes,
    frozenSeconds: frozenMs / 1000,
    firstPictureMedianSeconds: firstPicture(0.5),
    firstPictureP95Seconds: firstPicture(0.95),
    height: heights > 0 ? Math.round(height / heights) : null,
    roundTripSeconds: roundTrips > 0 ? Math.round(roundTripMs / roundTrips) / 1000 : null,
    loss: lossOf(sums),
  };
}

function worstBody(slot: ViewingSlot): WorstFiveMinutes {
  const { viewers, frozenViewers } = slot;
  const time = textOf(slot.slot * SLOT_MS);
  return { time, viewers, frozenViewers, cause: freezeCause(slot), ...viewingBody(slot) };
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
