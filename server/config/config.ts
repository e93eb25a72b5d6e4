import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import * as z from 'zod/mini';
import {
  announcedAddresses,
  databaseUrl,
  daysOrOff,
  host,
  logLevel,
  masterKey,
  networkList,
  origin,
  ownAddress,
  port,
  portOrOff,
  seconds,
  stunUrls,
  turnUrls,
  wholeNumber,
} from './variable-schemas.js';
import { configFaultText } from './config-error.js';
import { canonicalAddress } from '../addresses/ip-address.js';

/** Each is a process of some 60 MB and a port to open. */
const MOST_WORKERS = 64;
/** Whoever has a credential can try secrets on it at leisure. */
const SHORTEST_SECRET = 16;
const SHORTEST_TTL_S = 300;
const LONGEST_TTL_S = 86_400;
/** A broadcaster who is away for longer has something else to do; 0 keeps no place for anybody. */
const LONGEST_LEASE_S = 300;
const LONGEST_KEPT_DAYS = 3_650;

const workerCount = wholeNumber(1, MOST_WORKERS, `a number from 1 to ${MOST_WORKERS}`);

const turnSecret = z.string().check(z.minLength(SHORTEST_SECRET, `must have ${SHORTEST_SECRET} characters or more`));

/** Every variable that the server reads. `.env.example` lists them for people. */
export const environmentSchema = z.object({
  PORT: z._default(port, 8080),
  HOST: z.optional(host),
  PUBLIC_URL: z.optional(origin),
  TRUSTED_PROXIES: z._default(networkList, []),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(databaseUrl),
  ENCRYPTION_KEY: z.optional(masterKey),
  EXPIRED_TOKENS_KEPT_DAYS: z._default(daysOrOff(0, LONGEST_KEPT_DAYS), 30),
  MEDIA_HOST: z.optional(ownAddress),
  MEDIA_UDP_PORT: z._default(port, 40_000),
  MEDIA_TCP_PORT: z.optional(portOrOff),
  MEDIA_WORKERS: z._default(workerCount, Math.min(availableParallelism(), MOST_WORKERS)),
  MEDIA_ANNOUNCED_IPS: z._default(announcedAddresses, []),
  STUN_URLS: z._default(stunUrls, []),
  TURN_URLS: z._default(turnUrls, []),
  TURN_SECRET: z.optional(turnSecret),
  TURN_TTL_S: z._default(seconds(SHORTEST_TTL_S, LONGEST_TTL_S), 21_600),
  RESUME_WITHIN_S: z._default(seconds(0, LONGEST_LEASE_S), 10),
  LOG_LEVEL: z._default(logLevel, 'info'),
});
type Variables = z.infer<typeof environmentSchema>;

/** The names of all of them. */
export const variableNames: readonly string[] = Object.keys(environmentSchema.shape);

/** What is wrong with a variable. */
interface Fault {
  readonly name: string;
  readonly message: string;
}

export interface Config {
  /** 0: a free one. */
  readonly port: number;
  /** The address to listen on. Undefined: all of them. */
  readonly host: string | undefined;
  /** Where the world reaches this server, as an origin. Undefined: each request's own host is taken. */
  readonly publicUrl: string | undefined;
  /** Addresses and CIDR ranges, in canonical form, whose word on where a request came from is taken. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  /** The PostgreSQL database. Undefined: SQLite in the data folder. Holds a password: never logged. */
  readonly databaseUrl: string | undefined;
  /** The master key, 32 bytes. Undefined: the data folder keeps one. Never logged. */
  readonly encryptionKey: Uint8Array | undefined;
  /** How long tokens are kept after they have expired. Undefined: for ever. */
  readonly expiredTokensKeptDays: number | undefined;
  /** The address that media is sent and received on. Undefined: all of them. */
  readonly mediaHost: string | undefined;
  /** The first of as many as there are workers, one after the other. 0: free ones. */
  readonly mediaUdpPort: number;
  /** Likewise, where media comes by TCP. Undefined: nowhere. */
  readonly mediaTcpPort: number | undefined;
  /** How many processes carry media. */
  readonly mediaWorkers: number;
  /** Addresses that media is offered on instead of those of the machine. */
  readonly mediaAnnouncedIps: readonly string[];
  /** STUN and TURN servers that browsers are told of, as URLs. */
  readonly stunUrls: readonly string[];
  readonly turnUrls: readonly string[];
  /** What TURN credentials are made with; there with `turnUrls`. Never logged. */
  readonly turnSecret: string | undefined;
  /** How long a TURN credential is good for, in seconds. */
  readonly turnTtlS: number;
  /** How long the name of a broadcaster who was lost is kept for him. */
  readonly resumeWithinS: number;
  readonly logLevel: Variables['LOG_LEVEL'];
}

/**
 * The environment cannot be used. `faults` has a line for each variable that is wrong, with its value; the value of a
 * secret is never shown.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';

  constructor(readonly faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/**
 * The configuration, from variables. An empty one counts as unset.
 * @throws {ConfigError} with every fault at once
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const result = environmentSchema.safeParse(set, { error: z.locales.en().localeError });
  const faults = result.error?.issues.map(({ path, message }): Fault => ({ name: String(path[0]), message })) ?? [];
  faults.push(...unpaired(set));
  if (result.success) faults.push(...portsInTheWay(result.data));
  if (!result.success || faults.length > 0) {
    throw new ConfigError([...new Set(faults.map(({ name, message }) => configFaultText(name, message, set[name])))]);
  }
  const read = result.data;
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL,
    trustedProxies: read.TRUSTED_PROXIES,
    dataDir: read.DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    encryptionKey: read.ENCRYPTION_KEY,
    expiredTokensKeptDays: read.EXPIRED_TOKENS_KEPT_DAYS === 'off' ? undefined : read.EXPIRED_TOKENS_KEPT_DAYS,
    mediaHost: mediaHost(read),
    mediaUdpPort: read.MEDIA_UDP_PORT,
    mediaTcpPort: mediaTcpPort(read),
    mediaWorkers: read.MEDIA_WORKERS,
    mediaAnnouncedIps: [...new Set(read.MEDIA_ANNOUNCED_IPS)],
    stunUrls: read.STUN_URLS,
    turnUrls: read.TURN_URLS,
    turnSecret: read.TURN_SECRET,
    turnTtlS: read.TURN_TTL_S,
    resumeWithinS: read.RESUME_WITHIN_S,
    logLevel: read.LOG_LEVEL,
  });
}

/** Where this server is reached from the machine itself, when nothing says how others reach it. */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl) return publicUrl;
  if (host === undefined || isEveryAddress(host)) return `http://localhost:${port}`;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** What is of no use without another variable. */
function unpaired(set: Readonly<Record<string, string | undefined>>): Fault[] {
  const faults: Fault[] = [];
  const isName = host.safeParse(set['HOST']).success && addressOf(set['HOST']) === undefined;
  if (isName && !set['MEDIA_HOST']) {
    faults.push({ name: 'MEDIA_HOST', message: 'is needed, as an IP address, where HOST is a name' });
  }
  if (set['TURN_URLS'] && !set['TURN_SECRET'])
    faults.push({ name: 'TURN_SECRET', message: 'is needed with TURN_URLS' });
  if (set['TURN_SECRET'] && !set['TURN_URLS'])
    faults.push({ name: 'TURN_URLS', message: 'is needed with TURN_SECRET' });
  return faults;
}

/** The server's own, unless told otherwise. Undefined for all of them, however that is written. */
function mediaHost({ MEDIA_HOST, HOST }: Variables): string | undefined {
  const host = MEDIA_HOST ?? addressOf(HOST);
  return host === undefined || isEveryAddress(host) ? undefined : host;
}

/** The same number as for UDP, unless told otherwise: one rule of a firewall names both. */
function mediaTcpPort(read: Variables): number | undefined {
  const { MEDIA_TCP_PORT: port = read.MEDIA_UDP_PORT } = read;
  return port === 'off' ? undefined : port;
}

/** Each worker has a port of its own, one after the other: where one of them would be past the last, or is `PORT`. */
function portsInTheWay(read: Variables): Fault[] {
  const { PORT, MEDIA_UDP_PORT: udp, MEDIA_WORKERS: workers } = read;
  const tcp = mediaTcpPort(read);
  const last = 65_535 - workers + 1;
  const each = `as ${workers} MEDIA_WORKERS have a port each`;
  const faults: Fault[] = [];
  const message = `must be ${last} or less, ${each}`;
  if (udp > last) faults.push({ name: 'MEDIA_UDP_PORT', message });
  else if (tcp !== undefined && tcp > last) faults.push({ name: 'MEDIA_TCP_PORT', message });
  if (tcp && PORT >= tcp && PORT < tcp + workers) {
    const own = `must leave out PORT, ${each}; it is that of MEDIA_UDP_PORT where it is not set`;
    faults.push({ name: 'MEDIA_TCP_PORT', message: own });
  }
  return faults;
}

/** The address that a host is; undefined for a name, but for the one that everybody has. */
function addressOf(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  return host === 'localhost' ? '127.0.0.1' : canonicalAddress(host);
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
