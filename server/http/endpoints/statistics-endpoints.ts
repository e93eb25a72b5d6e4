import {
  statisticsListQuery,
  streamStatisticsAnswer,
  streamStatisticsList,
  streamStatisticsPath,
  streamStatisticsQuery,
  tokenStatisticsAnswer,
  tokenStatisticsList,
  tokenStatisticsPath,
  tokenStatisticsQuery,
  usageAnswer,
  usageQuery,
} from '../../../src/wire/management/statistics.js';
import { defineEndpoints } from './endpoint.js';

const SUMS = ['viewerSessions', 'watchedSeconds', 'publisherSessions', 'broadcastSeconds'] as const;

const QUALITY = [
  'quality.playedSeconds',
  'quality.freezes',
  'quality.frozenSeconds',
  'quality.firstPictureMedianSeconds',
  'quality.firstPictureP95Seconds',
  'quality.height',
  'quality.roundTripSeconds',
  'quality.loss',
] as const;

const RANGE =
  'Whole hours from `from` (absent: 30 days ago) to `to` (absent: now), for 13 months. With `Accept: text/csv` a table.';

export const statisticsEndpoints = defineEndpoints({
  streams: {
    method: 'get',
    path: '/api/stats/streams',
    id: 'listStreamStatistics',
    tag: 'Statistics',
    summary: 'List the streams with their viewers and hours, the most watched first',
    description: RANGE,
    query: statisticsListQuery,
    response: streamStatisticsList,
    csvColumns: ['streamName', 'peakViewers', ...SUMS, ...QUALITY],
    access: 'account',
    permission: 'figures',
  },
  stream: {
    method: 'get',
    path: '/api/stats/streams/{streamName}',
    id: 'getStreamStatistics',
    tag: 'Statistics',
    summary: 'Show the viewers and hours of one stream over time',
    description: `${RANGE} Periods without a session are left out. A stream that never was live has none. \`quality\` is what viewers reported, and \`worst\` the five minutes in which their picture was frozen most.`,
    params: streamStatisticsPath,
    query: streamStatisticsQuery,
    response: streamStatisticsAnswer,
    csvColumns: ['time', 'peakViewers', ...SUMS, ...QUALITY],
    access: 'account',
    permission: 'figures',
  },
  tokens: {
    method: 'get',
    path: '/api/stats/tokens',
    id: 'listTokenStatistics',
    tag: 'Statistics',
    summary: 'List the tokens that were used, with their sessions and hours',
    description: `${RANGE} Deleted tokens are included. Values of tokens never are.`,
    query: statisticsListQuery,
    response: tokenStatisticsList,
    csvColumns: ['tokenId', 'kind', 'sessions', 'watchedSeconds', 'broadcastSeconds', 'firstUsedOn', 'lastUsedOn'],
    access: 'account',
    permission: 'figures',
  },
  token: {
    method: 'get',
    path: '/api/stats/tokens/{id}',
    id: 'getTokenStatistics',
    tag: 'Statistics',
    summary: 'Show how one token was used, and from which addresses',
    description:
      'Many addresses with one token show that it was passed on. Addresses are counted for as long as sessions are kept (SESSIONS_KEPT_DAYS).',
    params: tokenStatisticsPath,
    query: tokenStatisticsQuery,
    response: tokenStatisticsAnswer,
    access: 'account',
    permission: 'figures',
    errors: { 404: ['token_not_found'] },
  },
  usage: {
    method: 'get',
    path: '/api/stats/usage',
    id: 'getUsage',
    tag: 'Statistics',
    summary: 'Show the hours of a month, by day, for billing',
    description: 'Days of UTC. With `Accept: text/csv` a table.',
    query: usageQuery,
    response: usageAnswer,
    csvColumns: ['time', 'streams', ...SUMS],
    access: 'account',
    permission: 'figures',
  },
});
