import { auditListQuery } from '../../../src/wire/management/audit.js';
import { explainRequest } from '../../../src/wire/management/explain.js';
import { refusalListQuery, type RefusalBody, type RefusalListQuery } from '../../../src/wire/management/refusal.js';
import { parse } from '../../http/request/parse.js';
import { refusalBody } from '../../http/management/oversight-routes.js';
import { SqlRefusalStore } from '../../store/tables/sql-refusal-store.js';
import { withAccountContext } from '../account-context.js';
import type { CliCommand, CommandResult, OptionValues } from '../command.js';
import { csvOption, csvResult } from '../csv-output.js';
import { callManagement, usesServer } from '../management/management-calls.js';
import { numberOf, withoutUndefined } from './token-options.js';

const PAGES = {
  page: { value: 'N', description: 'the page, from 1' },
  items: { value: 'N', description: 'entries on a page, up to 100' },
} as const;
const REFUSAL_OPTIONS = {
  ...PAGES,
  stream: { value: 'NAME', description: 'only of this stream' },
  'token-id': { value: 'ID', description: 'only with this token' },
  reason: { value: 'CODE', description: 'only with this error code' },
};

/** Exit status of `explain` for a refusal. Lets scripts distinguish a refusal from a failed command. */
const REFUSED_STATUS = 3;

const LIVE_STATE_UNKNOWN = [
  'This answer comes from the data folder, which does not know who is live: the stream counts as not live, and its name',
  'as free. To ask the running server, set STREAMGATE_SECRET to the API secret.',
].join('\n');

export const explainCommand: CliCommand = {
  name: 'explain',
  summary: 'show the verdict of each rule for a request (KIND: publish or subscribe); exit status 3: refused',
  operands: ['KIND', 'STREAM'],
  takesAccount: true,
  options: {
    token: { value: 'VALUE', description: 'the token of the request' },
    'token-id': { value: 'ID', description: 'the token of the request, by id' },
    origin: { value: 'ORIGIN', description: 'the origin of the page' },
    ip: { value: 'ADDRESS', description: 'the IP address of the client' },
    protocol: { value: 'rtmp', description: 'of an encoder, to which rules of origin and address do not apply' },
  },
  async run(invocation) {
    const {
      operands: [kind, streamName],
      options,
    } = invocation;
    const request = parse(
      explainRequest,
      withoutUndefined({
        kind,
        streamName,
        token: options.one('token'),
        tokenId: numberOf(options.one('token-id')),
        origin: options.one('origin'),
        ip: options.one('ip'),
        protocol: options.one('protocol'),
      }),
    );
    const explanation = await callManagement(invocation, (client) => client.oversight.explain(request));
    const knowsLive = usesServer(invocation);
    const lines = explanation.rules.map(
      ({ rule, allowed, applies, reason, looked_at }) =>
        `${allowed ? (applies === false ? '-  ' : 'yes') : 'NO '} ${rule}  ${reason ?? ''} ${JSON.stringify(looked_at)}`,
    );
    return {
      data: { ...explanation, liveState: knowsLive ? 'known' : 'unknown' },
      text: [...lines, explanation.allowed ? 'allowed' : `refused: ${explanation.reason}`].join('\n'),
      ...(!knowsLive && { note: LIVE_STATE_UNKNOWN }),
      exitStatus: explanation.allowed ? 0 : REFUSED_STATUS,
    };
  },
};

export const refusalsCommand: CliCommand = {
  name: 'refusals',
  summary: 'list refused requests and the reasons, newest first',
  takesAccount: true,
  options: { ...REFUSAL_OPTIONS, ...csvOption },
  async run(invocation) {
    const { options } = invocation;
    const query = refusalQuery(options);
    if (options.one('csv')) {
      return csvResult(await callManagement(invocation, (client) => client.oversight.refusalsCsv(query)));
    }
    const { refusals, total } = await callManagement(invocation, (client) => client.oversight.refusals(query));
    return refusalListResult(refusals, total);
  },
};

export const refusalGroupsCommand: CliCommand = {
  name: 'refusals groups',
  summary: 'count refused requests by kind, reason, token and origin, the most frequent first',
  takesAccount: true,
  options: REFUSAL_OPTIONS,
  async run(invocation) {
    const query = refusalQuery(invocation.options);
    const { groups, total } = await callManagement(invocation, (client) => client.oversight.refusalGroups(query));
    const text = groups
      .map(({ refusals, kind, reason, tokenId, origin, lastOn }) =>
        [refusals, kind, reason, tokenId ?? '-', origin ?? '-', lastOn].join('\t'),
      )
      .join('\n');
    return { data: { groups, total }, text, note: `${groups.length} of ${total}` };
  },
};

export const unknownAccountRefusalsCommand: CliCommand = {
  name: 'refusals unknown-account',
  summary: 'list refused requests that named no account or an unknown one, newest first',
  options: REFUSAL_OPTIONS,
  async run({ config, options }) {
    const query = refusalQuery(options);
    const { refusals, total } = await withAccountContext(config, ({ db }) =>
      new SqlRefusalStore(db).listUnknown(query),
    );
    return refusalListResult(refusals.map(refusalBody), total);
  },
};

function refusalQuery(options: OptionValues): RefusalListQuery {
  return parse(
    refusalListQuery,
    withoutUndefined({
      page: options.one('page'),
      itemsOnPage: options.one('items'),
      streamName: options.one('stream'),
      tokenId: options.one('token-id'),
      reason: options.one('reason'),
    }),
  );
}

function refusalListResult(refusals: readonly RefusalBody[], total: number): CommandResult {
  const text = refusals
    .map(({ time, kind, streamName, reason, tokenId, origin, address, namedAccount }) =>
      [time, kind, streamName, reason, tokenId ?? '-', origin ?? '-', address ?? '-', namedAccount || '-'].join('\t'),
    )
    .join('\n');
  return { data: { refusals, total }, text, note: `${refusals.length} of ${total}` };
}

export const auditCommand: CliCommand = {
  name: 'audit',
  summary: 'list changes and who made them, newest first',
  takesAccount: true,
  options: {
    ...PAGES,
    action: { value: 'ACTION', description: 'only this action, such as token_created' },
    ...csvOption,
  },
  async run(invocation) {
    const { options } = invocation;
    const query = parse(
      auditListQuery,
      withoutUndefined({
        page: options.one('page'),
        itemsOnPage: options.one('items'),
        action: options.one('action'),
      }),
    );
    if (options.one('csv')) {
      return csvResult(await callManagement(invocation, (client) => client.oversight.auditCsv(query)));
    }
    const { entries, total } = await callManagement(invocation, (client) => client.oversight.audit(query));
    const text = entries
      .map(({ time, actor, action, target, before, after }) =>
        [time, `${actor.by} ${actor.id ?? ''}`, action, target.id, JSON.stringify({ before, after })].join('\t'),
      )
      .join('\n');
    return { data: { entries, total }, text, note: `${entries.length} of ${total}` };
  },
};
