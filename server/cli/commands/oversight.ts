import { auditListQuery } from '../../../src/wire/management/audit.js';
import { explainRequest } from '../../../src/wire/management/explain.js';
import { refusalListQuery, type RefusalBody, type RefusalListQuery } from '../../../src/wire/management/refusal.js';
import { parse } from '../../http/request/parse.js';
import { refusalBody } from '../../http/management/refusal-routes.js';
import { SqlRefusalStore } from '../../store/tables/sql-refusal-store.js';
import { withAccountContext } from '../account-context.js';
import type { CliCommand, CommandResult, OptionValues } from '../command.js';
import { callManagement, usesServer } from '../management/management-calls.js';
import { numberOf, withoutUndefined } from './token-options.js';

const PAGES = { page: { value: 'N' }, items: { value: 'N' } } as const;
const REFUSAL_OPTIONS = { ...PAGES, stream: { value: 'NAME' }, 'token-id': { value: 'ID' }, reason: { value: 'CODE' } };

/** Of `explain`, where the answer is a refusal: a script can tell it from a question that could not be asked. */
const REFUSED_STATUS = 3;

const LIVE_STATE_UNKNOWN = [
  'This is the answer of the data folder, which does not know who is live: the stream counts as not live, and its name',
  'as free. The running server knows: set STREAMGATE_SECRET to the API secret to ask it.',
].join('\n');

export const explainCommand: CliCommand = {
  name: 'explain',
  summary: 'show what the rules say to somebody now, one by one (KIND: publish or subscribe); exit status 3: refused',
  operands: ['KIND', 'STREAM'],
  takesAccount: true,
  options: {
    token: { value: 'VALUE' },
    'token-id': { value: 'ID' },
    origin: { value: 'ORIGIN' },
    ip: { value: 'ADDRESS' },
  },
  async run(call) {
    const {
      operands: [kind, streamName],
      options,
    } = call;
    const request = parse(
      explainRequest,
      withoutUndefined({
        kind,
        streamName,
        token: options.one('token'),
        tokenId: numberOf(options.one('token-id')),
        origin: options.one('origin'),
        ip: options.one('ip'),
      }),
    );
    const told = await callManagement(call, (client) => client.oversight.explain(request));
    const knowsLive = usesServer(call);
    const lines = told.rules.map(
      ({ rule, allowed, reason, looked_at }) =>
        `${allowed ? 'yes' : 'NO '} ${rule}  ${reason ?? ''} ${JSON.stringify(looked_at)}`,
    );
    return {
      data: { ...told, liveState: knowsLive ? 'known' : 'unknown' },
      text: [...lines, told.allowed ? 'allowed' : `refused: ${told.reason}`].join('\n'),
      ...(!knowsLive && { note: LIVE_STATE_UNKNOWN }),
      exitStatus: told.allowed ? 0 : REFUSED_STATUS,
    };
  },
};

export const refusalsCommand: CliCommand = {
  name: 'refusals',
  summary: 'list who was turned away and why, the newest first',
  takesAccount: true,
  options: REFUSAL_OPTIONS,
  async run(call) {
    const { options } = call;
    const query = refusalQuery(options);
    const { refusals, total } = await callManagement(call, (client) => client.oversight.refusals(query));
    return listed(refusals, total);
  },
};

export const unknownAccountRefusalsCommand: CliCommand = {
  name: 'refusals unknown-account',
  summary: 'list who was turned away and named no account, or one that does not exist, the newest first',
  options: REFUSAL_OPTIONS,
  async run({ config, options }) {
    const query = refusalQuery(options);
    const { refusals, total } = await withAccountContext(config, ({ db }) =>
      new SqlRefusalStore(db).listUnknown(query),
    );
    return listed(refusals.map(refusalBody), total);
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

function listed(refusals: readonly RefusalBody[], total: number): CommandResult {
  const text = refusals
    .map(({ time, kind, streamName, reason, tokenId, origin, address, namedAccount }) =>
      [time, kind, streamName, reason, tokenId ?? '-', origin ?? '-', address ?? '-', namedAccount || '-'].join('\t'),
    )
    .join('\n');
  return { data: { refusals, total }, text, note: `${refusals.length} of ${total}` };
}

export const auditCommand: CliCommand = {
  name: 'audit',
  summary: 'list who changed what, the newest first',
  takesAccount: true,
  options: { ...PAGES, action: { value: 'ACTION' } },
  async run(call) {
    const { options } = call;
    const query = parse(
      auditListQuery,
      withoutUndefined({
        page: options.one('page'),
        itemsOnPage: options.one('items'),
        action: options.one('action'),
      }),
    );
    const { entries, total } = await callManagement(call, (client) => client.oversight.audit(query));
    const text = entries
      .map(({ time, actor, action, target, before, after }) =>
        [time, `${actor.by} ${actor.id ?? ''}`, action, target.id, JSON.stringify({ before, after })].join('\t'),
      )
      .join('\n');
    return { data: { entries, total }, text, note: `${entries.length} of ${total}` };
  },
};
