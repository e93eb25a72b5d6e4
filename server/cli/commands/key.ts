import {
  apiKeyId,
  apiKeyListQuery,
  createApiKey,
  rotateApiKey,
  updateApiKey,
  type ApiKeyBody,
  type ApiKeyWithValue,
} from '../../../src/wire/management/api-key.js';
import { parse } from '../../http/request/parse.js';
import type { CliCommand, CommandInvocation, CommandOptions, CommandResult, OptionValues } from '../command.js';
import { callManagement } from '../management/management-calls.js';
import { faultColumn, listNote } from '../management/row-faults.js';
import { numberOf, withoutUndefined } from './token-options.js';

const FIELDS: CommandOptions = {
  name: { value: 'NAME', description: 'a name for people' },
  scope: {
    choices: ['read', 'tokens', 'streams', 'recordings', 'everything'],
    description: 'what the key may do',
    multiple: true,
  },
  expires: { value: 'SECONDS|never', description: 'expires in so many seconds' },
};

export const keyCreateCommand: CliCommand = {
  name: 'key create',
  summary: 'create a named key for a machine, and show its value; it is not shown again',
  takesAccount: true,
  options: FIELDS,
  async run(invocation) {
    const fields = parse(createApiKey, keyFields(invocation.options));
    return shown(await callManagement(invocation, (client) => client.keys.create(fields)));
  },
};

export const keyListCommand: CliCommand = {
  name: 'key list',
  summary: 'list the keys of an account, newest first, with their last use',
  takesAccount: true,
  options: {
    page: { value: 'N', description: 'the page, from 1' },
    items: { value: 'N', description: 'keys on a page, up to 100' },
  },
  async run(invocation) {
    const { options } = invocation;
    const query = withoutUndefined({ page: options.one('page'), itemsOnPage: options.one('items') });
    const paging = parse(apiKeyListQuery, query);
    const { keys, total } = await callManagement(invocation, (client) => client.keys.list(paging));
    return {
      data: { keys, total },
      text: keys.map(keyLine).join('\n'),
      note: listNote(keys, total, ({ id }) => id),
    };
  },
};

export const keyUpdateCommand: CliCommand = {
  name: 'key update',
  summary: 'change the name, scopes or expiry of a key',
  operands: ['ID'],
  takesAccount: true,
  options: FIELDS,
  async run(invocation) {
    const id = idOf(invocation);
    const change = parse(updateApiKey, keyFields(invocation.options));
    const key = await callManagement(invocation, (client) => client.keys.update(id, change));
    return { data: key, text: keyLine(key) };
  },
};

export const keyRotateCommand: CliCommand = {
  name: 'key rotate',
  summary: 'give a key a new value, and show it; the old one stays valid for a day',
  operands: ['ID'],
  takesAccount: true,
  options: {
    'old-expires': { value: 'SECONDS', description: 'for how long the old value stays valid; 0: not at all' },
  },
  async run(invocation) {
    const id = idOf(invocation);
    const oldValueExpires = numberOf(invocation.options.one('old-expires'));
    const options = parse(rotateApiKey, withoutUndefined({ oldValueExpires }));
    return shown(await callManagement(invocation, (client) => client.keys.rotate(id, options)));
  },
};

export const keyRevokeCommand: CliCommand = {
  name: 'key revoke',
  summary: 'revoke a key; every server refuses it at once',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const id = idOf(invocation);
    const key = await callManagement(invocation, (client) => client.keys.revoke(id));
    return { data: key, text: keyLine(key) };
  },
};

function idOf({ operands: [id] }: CommandInvocation): string {
  return parse(apiKeyId, id);
}

function keyFields(options: OptionValues): object {
  const expires = options.one('expires');
  return withoutUndefined({
    name: options.one('name'),
    scopes: options.all('scope'),
    expires: expires === 'never' ? null : numberOf(expires),
  });
}

/** Only the value goes to stdout, so that a script can read it. */
function shown(key: ApiKeyWithValue): CommandResult {
  const old = key.oldValueExpiresOn === null ? '' : ` The old value is valid until ${key.oldValueExpiresOn}.`;
  const note = `${key.id}. It is not shown again. Send it as Authorization: Bearer VALUE.${old}`;
  return { data: key, text: key.value, note };
}

function keyLine(key: ApiKeyBody): string {
  const { id, name, scopes, expiresOn, lastUsedOn, lastUsedFrom, revokedOn } = key;
  const use = lastUsedOn === null ? 'never used' : `used ${lastUsedOn} from ${lastUsedFrom ?? 'an unknown address'}`;
  const end = revokedOn === null ? (expiresOn === null ? '' : `expires ${expiresOn}`) : `revoked ${revokedOn}`;
  return [id, JSON.stringify(name), scopes.join(','), use, end, ...faultColumn(key)].filter(Boolean).join('  ');
}
