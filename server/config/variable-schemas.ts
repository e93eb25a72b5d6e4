import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';
import { isEndpoint } from '../../src/wire/endpoint.js';
import { isStunUrl, isTurnUrl } from '../admission/ice-server-url.js';
import { canonicalAddress } from '../addresses/ip-address.js';
import { canonicalAddressRange } from '../addresses/ip-ranges.js';
import { databaseUrlFault } from './database-url.js';

// A schema for each kind of variable. No message shows the value; config-error.ts adds it, unless it is a secret.

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Digits only: no sign, no fraction, no exponent. */
export const wholeNumber = (fewest: number, most: number, what: string) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,6}$/, `must be ${what}`)),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.number().check(z.gte(fewest, `must be ${what}`), z.lte(most, `must be ${what}`)),
    ),
  );

export const port = wholeNumber(0, 65_535, 'a port number');

export const portOrOff = z.union([z.literal('off'), port], 'must be a port number or off');

export const onOrOff = z.enum(['on', 'off'], 'must be on or off');

export const daysOrOff = (fewest: number, most: number) => {
  const what = `a number of days from ${fewest} to ${most}, or off`;
  return z.union([z.literal('off'), wholeNumber(fewest, most, what)], `must be ${what}`);
};

export const days = (fewest: number, most: number) =>
  wholeNumber(fewest, most, `a number of days from ${fewest} to ${most}`);

/** listen-host.ts checks that this machine has the address. */
export const host = z.string().check(z.refine(isHost, 'must be an IP address of this machine, or its host name'));

export const logLevel = z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`);

export const seconds = (fewest: number, most: number) =>
  wholeNumber(fewest, most, `a number of seconds from ${fewest} to ${most}`);

export const kilobitsPerSecond = (fewest: number, most: number) =>
  wholeNumber(fewest, most, `a number of kbit/s from ${fewest} to ${most}`);

/**
 * Entries separated by commas.
 * @param read returns the entry in canonical form; undefined: it is not valid
 */
const listOf = (read: (entry: string) => string | undefined, what: string) =>
  z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => text.split(',').map((entry) => read(entry.trim()))),
      z.array(z.string(`must be ${what}, separated by commas`)),
    ),
  );

/** A host name is refused: the server and the media engine would each look it up, and may get different addresses. */
export const ownAddress = z
  .string()
  .check(z.refine((text) => canonicalAddress(text) !== undefined, 'must be one IP address of this machine'));

export const announcedAddresses = listOf(sendableAddress, 'IP addresses that others can send to');

/** In lower case, as Node.js has headers. */
export const headerName = z.pipe(
  z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/i, 'must be the name of a header, such as X-Forwarded-For')),
  z.transform((name) => name.toLowerCase()),
);

export const networkList = listOf(readRange, 'IP addresses or ranges such as 10.0.0.0/8');

/** Browsers query every ICE server, and limit their number. */
const MOST_ICE_SERVERS = 8;

const iceServerUrls = (isUrl: (text: string) => boolean, example: string) =>
  listOf((text) => (isUrl(text) ? text : undefined), `like ${example}`).check(
    z.maxLength(MOST_ICE_SERVERS, `must be at most ${MOST_ICE_SERVERS}`),
  );

export const stunUrls = iceServerUrls(isStunUrl, 'stun:stun.example.com:3478');

export const turnUrls = iceServerUrls(isTurnUrl, 'turn:turn.example.com:3478?transport=udp');

export const origin = z.pipe(
  z.string().check(z.refine(isOrigin, 'must be like https://live.example.com, without a path')),
  z.transform((url: string) => new URL(url).origin),
);

/** Its path may be that of a gateway. */
export const httpUrl = (example: string) =>
  z.string().check(z.refine((text) => isEndpoint(text) && new URL(text).search === '', `must be like ${example}`));

/** A part of a whole, 0 to 1. */
export const ratio = z.pipe(
  z.string().check(z.regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'must be a number from 0 to 1, such as 0.1')),
  z.transform((text: string) => Number(text)),
);

/** Its path may lead to one of several servers. */
export const cdnUrl = z.pipe(
  z.string().check(z.refine(isCdnUrl, 'must be like https://cdn.example.com')),
  z.transform((url: string) => new URL(url).href.replace(/\/+$/, '')),
);

const WEBSOCKET_EXAMPLE = 'ws://10.0.0.5:8188';

/** Its path may be that of a proxy. */
export const websocketUrl = z
  .string()
  .check(z.refine((text) => isWebsocketUrl(text), `must be like ${WEBSOCKET_EXAMPLE}`));

export const websocketUrls = listOf((text) => (isWebsocketUrl(text) ? text : undefined), `like ${WEBSOCKET_EXAMPLE}`);

function isWebsocketUrl(text: string): boolean {
  const { protocol, search, hash, username } = URL.parse(text) ?? {};
  return (protocol === 'ws:' || protocol === 'wss:') && !search && !hash && !username;
}

/** The names that S3 permits. */
export const bucketName = z
  .string()
  .check(
    z.regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'must be the name of a bucket: small letters, digits, dots and hyphens'),
  );

/** Folders in a bucket. */
export const keyPrefix = z.pipe(
  z.string().check(z.regex(/^(?:[\w-]+\/)*[\w-]+\/?$/, 'must be like streamgate/live: letters, digits, - and _')),
  z.transform((text: string) => (text.endsWith('/') ? text : `${text}/`)),
);

export const databaseUrl = z
  .string()
  .check(
    z.refine((text) => databaseUrlFault(text) === undefined, { error: ({ input }) => databaseUrlFault(String(input)) }),
  );

export const masterKey = z.pipe(
  z.string().check(z.regex(/^(?:[0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$/, 'must be 32 bytes, as 64 hex digits or as base64')),
  z.transform((text: string): Uint8Array => Buffer.from(text, text.length === 64 ? 'hex' : 'base64')),
);

/** Address ranges (names of ipaddr.js) that are not of one machine. */
const NOT_UNICAST: ReadonlySet<string> = new Set(['unspecified', 'broadcast', 'multicast']);

/** The address in canonical form. Undefined: no peer can send to it. */
function sendableAddress(text: string): string | undefined {
  const address = canonicalAddress(text);
  if (address === undefined) return undefined;
  return NOT_UNICAST.has(ipaddr.parse(address).range()) ? undefined : address;
}

function readRange(text: string): string | undefined {
  try {
    return canonicalAddressRange(text);
  } catch {
    return undefined;
  }
}

/** Host names of containers may contain underscores. */
function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^(?!-)[\w-]{1,63}(?:\.[\w-]{1,63})*\.?$/.test(text);
}

function isCdnUrl(text: string): boolean {
  if (!isEndpoint(text)) return false;
  const { search, hash, username, password } = new URL(text);
  return `${search}${hash}${username}${password}` === '';
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && (href === origin || href === `${origin}/`);
}
