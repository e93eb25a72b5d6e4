import { auditListQuery } from '../../../src/wire/audit.js';
import { explainRequest } from '../../../src/wire/explain.js';
import { refusalListQuery, type RefusalBody, type RefusalListQuery } from '../../../src/wire/refusal.js';
import { parse } from '../../http/parse.js';
import { refusalBody } from '../../http/routes/refusals.js';
import { SqlRefusalStore } from '../../store/sql-refusal-store.js';
import { atAccountDesk } from '../account-desk.js';
import type { Command, CommandResult, OptionValues } from '../command.js';
import { askManagement, askServer } from '../management.js';
import { numberOf, withoutUndefined } from '../token-options.js';

const PAGES = { page: { value: 'N' }, items: { value: 'N' } } as const;
const REFUSAL_OPTIONS = { ...PAGES, stream: { value: 'NAME' }, 'token-id': { value: 'ID' }, reason: { value: 'CODE' } };

export const explainCommand: Command = {
  name: 'explain',
  summary: 'ask the running server what it would say to somebody now, rule by rule (KIND: publish or subscribe)',
  operands: ['KIND', 'STREAM'],
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
    const told = await askServer(call, (client) => client.oversight.explain(request));
    const lines = told.rules.map(
      ({ rule, allowed, reason, looked_at }) =>
        `${allowed ? 'yes' : 'NO '} ${rule}  ${reason ?? ''} ${JSON.stringify(looked_at)}`,
    );
    return { data: told, text: [...lines, told.allowed ? 'allowed' : `refused: ${told.reason}`].join('\n') };
  },
};

export const refusalsCommand: Command = {
  name: 'refusals',
  summary: 'list who was turned away and why, the newest first',
  takesAccount: true,
  options: REFUSAL_OPTIONS,
  async run(call) {
    const { options } = call;
    const query = refusalQuery(options);
    const { refusals, total } = await askManagement(call, (client) => client.oversight.refusals(query));
    return listed(refusals, total);
  },
};

export const unknownAccountRefusalsCommand: Command = {
  name: 'refusals unknown-account',
  summary: 'list who was turned away and named no account, or one that does not exist, the newest first',
  options: REFUSAL_OPTIONS,
  async run({ config, options }) {
    const query = refusalQuery(options);
    const { refusals, total } = await atAccountDesk(config, ({ db }) => new SqlRefusalStore(db).listUnknown(query));
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

export const auditCommand: Command = {
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
    const { entries, total } = await askManagement(call, (client) => client.oversight.audit(query));
    const text = entries
      .map(({ time, actor, action, target, before, after }) =>
        [time, `${actor.by} ${actor.id ?? ''}`, action, target.id, JSON.stringify({ before, after })].join('\t'),
      )
      .join('\n');
    return { data: { entries, total }, text, note: `${entries.length} of ${total}` };
  },
};
