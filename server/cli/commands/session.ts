import { parse } from '../../http/request/parse.js';
import { sessionListQuery, type SessionBody } from '../../../src/wire/management/session.js';
import type { CliCommand } from '../command.js';
import { csvOption, csvResult } from '../csv-output.js';
import { callManagement, callServer } from '../management/management-calls.js';
import { withoutUndefined } from './token-options.js';

export const sessionListCommand: CliCommand = {
  name: 'session list',
  summary: 'list the sessions of a stream (NAME: without the account), newest first',
  operands: ['NAME'],
  takesAccount: true,
  options: {
    items: { value: 'N', description: 'sessions on a page, up to 100' },
    cursor: { value: 'CURSOR', description: 'the page after the one that named this cursor' },
    from: { value: 'TIME', description: 'only sessions that opened then or later, such as 2026-11-20T13:00:00Z' },
    to: { value: 'TIME', description: 'only sessions that opened before' },
    'token-id': { value: 'ID', description: 'only with this token' },
    state: { choices: ['open', 'ended'], description: 'only those that are open, or that have ended' },
    reason: { value: 'CODE', description: 'only those that ended so, such as left' },
    ...csvOption,
  },
  async run(invocation) {
    const {
      operands: [streamName = ''],
      options,
    } = invocation;
    const given = withoutUndefined({
      itemsOnPage: options.one('items'),
      cursor: options.one('cursor'),
      from: options.one('from'),
      to: options.one('to'),
      tokenId: options.one('token-id'),
      reason: options.one('reason'),
      state: options.one('state'),
    });
    const query = parse(sessionListQuery, given);
    if (options.one('csv')) {
      return csvResult(await callManagement(invocation, (client) => client.sessions.csv(streamName, query)));
    }
    const { sessions, next } = await callManagement(invocation, (client) => client.sessions.list(streamName, query));
    return {
      data: { sessions, next },
      text: sessions.map(lineOf).join('\n'),
      note:
        next === null ? `${sessions.length} sessions` : `${sessions.length} sessions; the next page: --cursor ${next}`,
    };
  },
};

export const sessionShowCommand: CliCommand = {
  name: 'session show',
  summary: 'show one session of a stream (NAME: without the account) with its timeline',
  operands: ['NAME', 'ID'],
  takesAccount: true,
  async run(invocation) {
    const {
      operands: [streamName = '', id = ''],
    } = invocation;
    const session = await callManagement(invocation, (client) => client.sessions.get(streamName, id));
    const lines = session.events.map(({ time, name }) => `${time}\t${name}`);
    return { data: session, text: [lineOf(session), ...lines].join('\n') };
  },
};

export const sessionStopCommand: CliCommand = {
  name: 'session stop',
  summary: 'end one session of a stream (NAME: without the account) on the running server',
  operands: ['NAME', 'ID'],
  async run(invocation) {
    const {
      operands: [streamName = '', id = ''],
    } = invocation;
    const stopped = await callServer(invocation, (client) => client.sessions.stop(streamName, id));
    return { data: { stopped }, text: stopped ? 'The session was ended.' : 'The session had ended already.' };
  },
};

function lineOf(session: SessionBody): string {
  const { id, openedOn, endedOn, reason, role, protocol, tokenId, address, watchedSeconds, broadcastSeconds } = session;
  const seconds = watchedSeconds ?? broadcastSeconds;
  const media = seconds === null ? '-' : `${seconds} s`;
  return [id, openedOn, endedOn ?? 'open', reason ?? '-', role, protocol, tokenId ?? '-', address ?? '-', media].join(
    '\t',
  );
}
