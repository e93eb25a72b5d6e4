import { auditListQuery } from '../../../src/wire/audit.js';
import { explainRequest } from '../../../src/wire/explain.js';
import { refusalListQuery } from '../../../src/wire/refusal.js';
import { parse } from '../../http/parse.js';
import { auditBody } from '../../http/routes/audit.js';
import { refusalBody } from '../../http/routes/refusals.js';
import { atAccountDesk } from '../account-desk.js';
import type { Command } from '../command.js';
import { askServer } from '../running-server.js';
import { numberOf, withoutUndefined } from '../token-options.js';

const PAGES = { page: { value: 'N' }, items: { value: 'N' } } as const;

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
  async run({ operands: [kind, streamName], options, ...surroundings }) {
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
    const told = await askServer(surroundings, (client) => client.oversight.explain(request));
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
  options: { ...PAGES, stream: { value: 'NAME' }, 'token-id': { value: 'ID' }, reason: { value: 'CODE' } },
  run: ({ config, account, options }) =>
    atAccountDesk(config, async ({ choose, refusals }) => {
      const query = parse(
        refusalListQuery,
        withoutUndefined({
          page: options.one('page'),
          itemsOnPage: options.one('items'),
          streamName: options.one('stream'),
          tokenId: options.one('token-id'),
          reason: options.one('reason'),
        }),
      );
      const { refusals: found, total } = await refusals.list(await choose(account), query);
      const data = found.map(refusalBody);
      const text = data
        .map(({ time, kind, streamName, reason, tokenId, origin, address }) =>
          [time, kind, streamName, reason, tokenId ?? '-', origin ?? '-', address ?? '-'].join('\t'),
        )
        .join('\n');
      return { data: { refusals: data, total }, text, note: `${data.length} of ${total}` };
    }),
};

export const auditCommand: Command = {
  name: 'audit',
  summary: 'list who changed what, the newest first',
  takesAccount: true,
  options: { ...PAGES, action: { value: 'ACTION' } },
  run: ({ config, account, options }) =>
    atAccountDesk(config, async ({ choose, audit }) => {
      const query = parse(
        auditListQuery,
        withoutUndefined({
          page: options.one('page'),
          itemsOnPage: options.one('items'),
          action: options.one('action'),
        }),
      );
      const { entries, total } = await audit.list(await choose(account), query);
      const data = entries.map(auditBody);
      const text = data
        .map(({ time, actor, action, target, before, after }) =>
          [time, `${actor.by} ${actor.id ?? ''}`, action, target.id, JSON.stringify({ before, after })].join('\t'),
        )
        .join('\n');
      return { data: { entries: data, total }, text, note: `${data.length} of ${total}` };
    }),
};
