import { signSubscribeToken } from '../../../src/management/sign-subscribe-token.js';
import { maxSessions } from '../../../src/wire/management/session-limit.js';
import { tokenId } from '../../../src/wire/management/token.js';
import { parse } from '../../http/request/parse.js';
import { CommandError, UsageError, type CliCommand, type OptionValues } from '../command.js';
import { callManagement } from '../management/management-calls.js';
import { numberOf } from './token-options.js';
import { findToken } from './token-lookup.js';

const ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;

export const signCommand: CliCommand = {
  name: 'sign',
  summary:
    'sign a token with a subscribe token: for one stream, until an expiry, within the limits of the subscribe token',
  operands: ['ID'],
  takesAccount: true,
  options: {
    stream: { value: 'NAME', description: 'the stream it permits', required: true },
    expires: { value: 'SECONDS', description: 'expires in so many seconds', required: true },
    'not-before': { value: 'SECONDS', description: 'valid from so many seconds from now' },
    origin: { value: 'ORIGIN', description: 'allowed origin', multiple: true },
    ip: { value: 'ADDRESS', description: 'allowed IP address or range', multiple: true },
    'denied-ip': { value: 'ADDRESS', description: 'IP address or range that may not use it', multiple: true },
    country: { value: 'CODE', description: 'allowed country, such as CH', multiple: true },
    'denied-country': { value: 'CODE', description: 'country that may not use it', multiple: true },
    'max-sessions': { value: 'N', description: 'how many may watch with it at once' },
    id: { value: 'TEXT', description: 'tokens with the same id count their viewers together' },
    algorithm: { value: ALGORITHMS.join('|'), description: 'signature algorithm; HS256 if not given' },
  },
  async run(invocation) {
    const { operands, options } = invocation;
    const id = parse(tokenId, operands[0]);
    const claims = {
      streamName: options.one('stream') ?? '',
      expires: secondsFromNow('expires', options) ?? 0,
      notBefore: secondsFromNow('not-before', options),
      allowedOrigins: options.all('origin'),
      allowedIpAddresses: options.all('ip'),
      deniedIpAddresses: options.all('denied-ip'),
      allowedCountries: options.all('country'),
      deniedCountries: options.all('denied-country'),
      maxSessions: sessionsOf(options),
      id: options.one('id'),
    };
    const algorithm = algorithmOf(options);
    const { kind, token } = await callManagement(invocation, (client) => findToken(client, id));
    if (kind !== 'subscribe') {
      throw new CommandError('token_wrong_kind', `Token ${id} is a publish token; only subscribe tokens can sign.`);
    }
    const signed = await signSubscribeToken(token, claims, { algorithm });
    return { data: { tokenId: id, token: signed }, text: signed };
  },
};

function sessionsOf(options: OptionValues): number | undefined {
  const given = numberOf(options.one('max-sessions'));
  const sessions = maxSessions.safeParse(given);
  if (given === undefined || sessions.success) return sessions.data;
  throw new UsageError('--max-sessions must be a number of sessions; 0: no limit');
}

function secondsFromNow(name: string, options: OptionValues): number | undefined {
  const seconds = numberOf(options.one(name));
  if (seconds === undefined || (typeof seconds === 'number' && seconds > 0)) return seconds;
  throw new UsageError(`--${name} must be a number of seconds from now`);
}

function algorithmOf(options: OptionValues): (typeof ALGORITHMS)[number] | undefined {
  const name = options.one('algorithm');
  const algorithm = ALGORITHMS.find((known) => known === name);
  if (name === undefined || algorithm) return algorithm;
  throw new UsageError(`--algorithm must be ${ALGORITHMS.join(' or ')}`);
}
