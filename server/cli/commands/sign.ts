import { signSubscribeToken } from '../../../src/management/sign-subscribe-token.js';
import { tokenId } from '../../../src/wire/management/token.js';
import { parse } from '../../http/request/parse.js';
import { CommandError, UsageError, type CliCommand, type OptionValues } from '../command.js';
import { callManagement } from '../management/management-calls.js';
import { numberOf } from './token-options.js';
import { findToken } from './token-lookup.js';

const ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;

export const signCommand: CliCommand = {
  name: 'sign',
  summary: 'make a self-signed token from a subscribe token: one stream, an end, and no more than its parent may',
  operands: ['ID'],
  takesAccount: true,
  options: {
    stream: { value: 'NAME', required: true },
    expires: { value: 'SECONDS', required: true },
    'not-before': { value: 'SECONDS' },
    origin: { value: 'ORIGIN', multiple: true },
    ip: { value: 'ADDRESS', multiple: true },
    algorithm: { value: ALGORITHMS.join('|') },
  },
  async run(call) {
    const { operands, options } = call;
    const id = parse(tokenId, operands[0]);
    const claims = {
      streamName: options.one('stream') ?? '',
      expires: secondsFromNow('expires', options) ?? 0,
      notBefore: secondsFromNow('not-before', options),
      allowedOrigins: options.all('origin'),
      allowedIpAddresses: options.all('ip'),
    };
    const algorithm = algorithmOf(options);
    const { kind, token } = await callManagement(call, (client) => findToken(client, id));
    if (kind !== 'subscribe') {
      throw new CommandError('token_wrong_kind', `Token ${id} publishes; only subscribe tokens can sign.`);
    }
    const signed = await signSubscribeToken(token, claims, { algorithm });
    return { data: { tokenId: id, token: signed }, text: signed };
  },
};

function secondsFromNow(name: string, options: OptionValues): number | undefined {
  const seconds = numberOf(options.one(name));
  if (seconds === undefined || (typeof seconds === 'number' && seconds > 0)) return seconds;
  throw new UsageError(`--${name} is seconds from now`);
}

function algorithmOf(options: OptionValues): (typeof ALGORITHMS)[number] | undefined {
  const name = options.one('algorithm');
  const algorithm = ALGORITHMS.find((known) => known === name);
  if (name === undefined || algorithm) return algorithm;
  throw new UsageError(`--algorithm is ${ALGORITHMS.join(' or ')}`);
}
