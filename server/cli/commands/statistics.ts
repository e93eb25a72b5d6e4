import {
  statisticsListQuery,
  streamStatisticsQuery,
  tokenStatisticsQuery,
  usageQuery,
  type TokenStatistics,
  type TokenStatisticsDetail,
  type UsageTotal,
} from '../../../src/wire/management/statistics.js';
import { parse } from '../../http/request/parse.js';
import type { CliCommand, CommandOption, OptionValues } from '../command.js';
import { csvOption, csvResult } from '../csv-output.js';
import { callManagement } from '../management/management-calls.js';
import { withoutUndefined } from './token-options.js';

const range: Readonly<Record<'from' | 'to', CommandOption>> = {
  from: { value: 'TIME', description: 'the first hour, such as 2026-11-20T13:00:00Z; by default 30 days ago' },
  to: { value: 'TIME', description: 'the last hour; by default now' },
};

const list: Readonly<Record<'from' | 'to' | 'page' | 'items', CommandOption>> = {
  ...range,
  page: { value: 'N', description: 'which page, from 1' },
  items: { value: 'N', description: 'items on a page, up to 100' },
};

export const statisticsStreamsCommand: CliCommand = {
  name: 'stats streams',
  summary: 'list the streams with their viewers and hours, the most watched first',
  takesAccount: true,
  options: { ...list, ...csvOption },
  async run(invocation) {
    const { options } = invocation;
    const query = listQueryOf(options);
    if (options.one('csv')) {
      return csvResult(await callManagement(invocation, (client) => client.statistics.streamsCsv(query)));
    }
    const data = await callManagement(invocation, (client) => client.statistics.streams(query));
    const lines = data.streams.map((stream) => [stream.streamName, `peak ${stream.peakViewers}`, sumsText(stream)]);
    return { data, text: linesText(lines), note: `${data.total} streams` };
  },
};

export const statisticsStreamCommand: CliCommand = {
  name: 'stats stream',
  summary: 'show the viewers and hours of a stream (NAME: without the account) over time',
  operands: ['NAME'],
  takesAccount: true,
  options: { ...range, interval: { value: 'INTERVAL', description: 'hour or day' } },
  async run(invocation) {
    const {
      operands: [streamName = ''],
      options,
    } = invocation;
    const given = withoutUndefined({
      from: options.one('from'),
      to: options.one('to'),
      interval: options.one('interval'),
    });
    const query = parse(streamStatisticsQuery, given);
    const data = await callManagement(invocation, (client) => client.statistics.stream(streamName, query));
    const lines = data.periods.map((period) => [period.time, `peak ${period.peakViewers}`, sumsText(period)]);
    return { data, text: linesText(lines), note: `In all: peak ${data.total.peakViewers}, ${sumsText(data.total)}` };
  },
};

export const statisticsTokensCommand: CliCommand = {
  name: 'stats tokens',
  summary: 'list the tokens that were used, with their sessions and hours',
  takesAccount: true,
  options: { ...list, ...csvOption },
  async run(invocation) {
    const { options } = invocation;
    const query = listQueryOf(options);
    if (options.one('csv')) {
      return csvResult(await callManagement(invocation, (client) => client.statistics.tokensCsv(query)));
    }
    const data = await callManagement(invocation, (client) => client.statistics.tokens(query));
    return { data, text: linesText(data.tokens.map(tokenLine)), note: `${data.total} tokens` };
  },
};

export const statisticsTokenCommand: CliCommand = {
  name: 'stats token',
  summary: 'show how a token was used, and from which addresses',
  operands: ['ID'],
  takesAccount: true,
  options: range,
  async run(invocation) {
    const {
      operands: [id = ''],
      options,
    } = invocation;
    const query = parse(tokenStatisticsQuery, withoutUndefined({ from: options.one('from'), to: options.one('to') }));
    const data = await callManagement(invocation, (client) => client.statistics.token(Number(id), query));
    const addresses = data.addresses.map(({ address, sessions, lastUsedOn }) => [
      address ?? '-',
      `${sessions} sessions`,
      lastUsedOn,
    ]);
    return { data, text: linesText([tokenLine(data), ...addresses]), note: `${data.addressCount} addresses` };
  },
};

export const usageCommand: CliCommand = {
  name: 'stats usage',
  summary: 'show the hours of a month by day, for billing',
  takesAccount: true,
  options: { month: { value: 'MONTH', description: 'such as 2026-11; by default the present month' } },
  async run(invocation) {
    const { month } = parse(usageQuery, withoutUndefined({ month: invocation.options.one('month') }));
    const data = await callManagement(invocation, (client) => client.statistics.usage(month));
    const lines = data.days.map((day) => [day.time.slice(0, 10), sumsText(day)]);
    return { data, text: linesText(lines), note: `${data.month}: ${sumsText(data.total)}` };
  },
};

function listQueryOf(options: OptionValues) {
  const given = withoutUndefined({
    from: options.one('from'),
    to: options.one('to'),
    page: options.one('page'),
    itemsOnPage: options.one('items'),
  });
  return parse(statisticsListQuery, given);
}

function tokenLine(token: TokenStatistics | TokenStatisticsDetail): readonly (string | number)[] {
  const { tokenId, kind, sessions, watchedSeconds, broadcastSeconds, firstUsedOn, lastUsedOn } = token;
  const seconds = watchedSeconds ?? broadcastSeconds ?? 0;
  return [tokenId, kind, `${sessions} sessions`, hours(seconds), firstUsedOn ?? 'never used', lastUsedOn ?? '-'];
}

function sumsText({ viewerSessions, watchedSeconds, publisherSessions, broadcastSeconds }: UsageTotal): string {
  const viewers = `${viewerSessions} viewer sessions, watched ${hours(watchedSeconds)}`;
  return `${viewers}, ${publisherSessions} broadcasts, on air ${hours(broadcastSeconds)}`;
}

function hours(seconds: number): string {
  return `${(seconds / 3_600).toFixed(2)} h`;
}

function linesText(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((fields) => fields.join('\t')).join('\n');
}
