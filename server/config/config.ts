import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import {
  announcedAddresses,
  bucketName,
  databaseUrl,
  days,
  daysOrOff,
  host,
  httpUrl,
  keyPrefix,
  logLevel,
  masterKey,
  networkList,
  onOrOff,
  origin,
  ownAddress,
  port,
  portOrOff,
  seconds,
  stunUrls,
  turnUrls,
  wholeNumber,
} from './variable-schemas.js';
import { ConfigError, configFaultText } from './config-error.js';
import { canonicalAddress } from '../addresses/ip-address.js';

/** Each worker is a process of about 60 MB, and needs a port. */
const MOST_WORKERS = 64;
/** A credential lets its owner try secrets offline. */
const SHORTEST_SECRET = 16;
const SHORTEST_TTL_S = 300;
const LONGEST_TTL_S = 86_400;
/** 0: names are not kept. */
const LONGEST_LEASE_S = 300;
const LONGEST_KEPT_DAYS = 3_650;

const workerCount = wholeNumber(1, MOST_WORKERS, `a number from 1 to ${MOST_WORKERS}`);

const turnSecret = z.string().check(z.minLength(SHORTEST_SECRET, `must have ${SHORTEST_SECRET} characters or more`));

/** Every variable that the server reads. `.env.example` explains them. */
export const environmentSchema = z.object({
  PORT: z._default(port, 8080),
  HOST: z.optional(host),
  PUBLIC_URL: z.optional(origin),
  TRUSTED_PROXIES: z._default(networkList, []),
  TLS_CERT: z.optional(z.string()),
  TLS_KEY: z.optional(z.string()),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(databaseUrl),
  ENCRYPTION_KEY: z.optional(masterKey),
  EXPIRED_TOKENS_KEPT_DAYS: z._default(daysOrOff(0, LONGEST_KEPT_DAYS), 30),
  SESSIONS_KEPT_DAYS: z._default(days(0, LONGEST_KEPT_DAYS), 30),
  VIEWER_REPORTS: z._default(onOrOff, 'on'),
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
  RTMP_PORT: z._default(portOrOff, 'off'),
  FFMPEG_PATH: z.optional(z.string()),
  RTMP_TRANSCODE: z._default(z.enum(['off', 'x264']), 'off'),
  RECORDINGS_DIR: z.optional(z.string()),
  RECORDINGS_S3_ENDPOINT: z.optional(httpUrl),
  RECORDINGS_S3_BUCKET: z.optional(bucketName),
  RECORDINGS_S3_REGION: z._default(z.string(), 'auto'),
  RECORDINGS_S3_ACCESS_KEY_ID: z.optional(z.string()),
  RECORDINGS_S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  RECORDINGS_S3_PREFIX: z._default(keyPrefix, ''),
  GEOIP_DB: z.optional(z.string()),
  LOG_LEVEL: z._default(logLevel, 'info'),
});
type Variables = z.infer<typeof environmentSchema>;

export const variableNames: readonly string[] = Object.keys(environmentSchema.shape);

interface Fault {
  readonly name: string;
  readonly message: string;
}

/** Paths of PEM files. */
export interface CertificateFiles {
  /** The certificate of the server, and after it the intermediate certificates. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** A bucket of S3, or of a storage that speaks its protocol. */
export interface S3Config {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  /** Never logged. */
  readonly secretAccessKey: string;
  /** Before each key; empty, or with a slash at the end. */
  readonly prefix: string;
}

export interface Config {
  /** 0: a free port. */
  readonly port: number;
  /** The address to listen on. Undefined: all addresses. */
  readonly host: string | undefined;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl: string | undefined;
  /** Addresses and CIDR ranges, in canonical form, whose X-Forwarded-For and Forwarded headers are believed. */
  readonly trustedProxies: readonly string[];
  /** The files of the certificate. Undefined: the server speaks HTTP. */
  readonly tls: CertificateFiles | undefined;
  readonly dataDir: string;
  /** URL of the PostgreSQL database. Undefined: SQLite in the data folder. Never logged, because it holds a password. */
  readonly databaseUrl: string | undefined;
  /** The master key, 32 bytes. Undefined: the key file in the data folder. Never logged. */
  readonly encryptionKey: Uint8Array | undefined;
  /** Days until an expired token is deleted. Undefined: never. */
  readonly expiredTokensKeptDays: number | undefined;
  /** Days until what is known of an ended session is deleted. 0: sessions are not recorded. */
  readonly sessionsKeptDays: number;
  /** Whether viewers report what they see: the time to the first picture, freezes, resolution. */
  readonly viewerReports: boolean;
  /** The address that sends and receives media. Undefined: all addresses. */
  readonly mediaHost: string | undefined;
  /** The port of the first worker; each further worker has the next port. 0: free ports. */
  readonly mediaUdpPort: number;
  /** As `mediaUdpPort`, for media over TCP. Undefined: off. */
  readonly mediaTcpPort: number | undefined;
  /** The number of media processes. */
  readonly mediaWorkers: number;
  /** Addresses for ICE candidates, instead of those of the machine. */
  readonly mediaAnnouncedIps: readonly string[];
  /** STUN and TURN servers for browsers, as URLs. */
  readonly stunUrls: readonly string[];
  readonly turnUrls: readonly string[];
  /** The secret for TURN credentials, set if `turnUrls` is. Never logged. */
  readonly turnSecret: string | undefined;
  /** The lifetime of a TURN credential, in seconds. */
  readonly turnTtlS: number;
  /** How long the server keeps a stream name for a broadcaster whose connection was lost, in seconds. */
  readonly resumeWithinS: number;
  /** The port for encoders over RTMP and RTMPS. 0: a free port. Undefined: off. */
  readonly rtmpPort: number | undefined;
  /** The program that transcodes the media of encoders. Undefined: the first `ffmpeg` in the PATH. */
  readonly ffmpegPath: string | undefined;
  /** What becomes of video with B-frames over RTMP: it is refused, or encoded again. */
  readonly rtmpTranscode: 'off' | 'x264';
  /** The folder of recordings. Undefined: nothing is recorded. */
  readonly recordingsDir: string | undefined;
  /** Where recordings are copied when they are ready. Undefined: they stay in the folder. */
  readonly recordingsS3: S3Config | undefined;
  /** A file of the countries of addresses, in MaxMind's format. Undefined: countries are not known. */
  readonly geoipDb: string | undefined;
  readonly logLevel: Variables['LOG_LEVEL'];
}

/**
 * Reads the configuration from variables of the environment. An empty variable counts as unset.
 * @throws {ConfigError} with every fault
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const result = environmentSchema.safeParse(set, { error: z.locales.en().localeError });
  const faults = result.error?.issues.map(({ path, message }): Fault => ({ name: String(path[0]), message })) ?? [];
  faults.push(...unpairedFaults(set));
  if (result.success) faults.push(...portFaults(result.data));
  if (!result.success || faults.length > 0) {
    throw new ConfigError([...new Set(faults.map(({ name, message }) => configFaultText(name, message, set[name])))]);
  }
  const read = result.data;
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL,
    trustedProxies: read.TRUSTED_PROXIES,
    tls: read.TLS_CERT && read.TLS_KEY ? { certFile: read.TLS_CERT, keyFile: read.TLS_KEY } : undefined,
    dataDir: read.DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    encryptionKey: read.ENCRYPTION_KEY,
    expiredTokensKeptDays: read.EXPIRED_TOKENS_KEPT_DAYS === 'off' ? undefined : read.EXPIRED_TOKENS_KEPT_DAYS,
    sessionsKeptDays: read.SESSIONS_KEPT_DAYS,
    viewerReports: read.VIEWER_REPORTS === 'on',
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
    rtmpPort: read.RTMP_PORT === 'off' ? undefined : read.RTMP_PORT,
    ffmpegPath: read.FFMPEG_PATH,
    rtmpTranscode: read.RTMP_TRANSCODE,
    recordingsDir: recordingsDir(read),
    recordingsS3: recordingsS3(read),
    geoipDb: read.GEOIP_DB,
    logLevel: read.LOG_LEVEL,
  });
}

/** The public URL, or else a URL that works on the machine of the server. */
export function publicUrlOf({
  publicUrl,
  host,
  port,
  tls,
}: Pick<Config, 'publicUrl' | 'host' | 'port' | 'tls'>): string {
  if (publicUrl) return publicUrl;
  const scheme = tls ? 'https' : 'http';
  if (host === undefined || isEveryAddress(host)) return `${scheme}://localhost:${port}`;
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function recordingsDir({ RECORDINGS_DIR, DATA_DIR }: Variables): string | undefined {
  return RECORDINGS_DIR === 'off' ? undefined : (RECORDINGS_DIR ?? join(DATA_DIR, 'recordings'));
}

/** `unpairedFaults` has seen to it that all are set, or none. */
function recordingsS3(read: Variables): S3Config | undefined {
  const { RECORDINGS_S3_ENDPOINT: endpoint, RECORDINGS_S3_BUCKET: bucket } = read;
  const { RECORDINGS_S3_ACCESS_KEY_ID: accessKeyId, RECORDINGS_S3_SECRET_ACCESS_KEY: secretAccessKey } = read;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined;
  const { RECORDINGS_S3_REGION: region, RECORDINGS_S3_PREFIX: prefix } = read;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix };
}

const S3_VARIABLES = [
  'RECORDINGS_S3_ENDPOINT',
  'RECORDINGS_S3_BUCKET',
  'RECORDINGS_S3_ACCESS_KEY_ID',
  'RECORDINGS_S3_SECRET_ACCESS_KEY',
] as const;

/** Variables that need another variable, which is not set. */
function unpairedFaults(set: Readonly<Record<string, string | undefined>>): Fault[] {
  const faults: Fault[] = [];
  const isName = host.safeParse(set['HOST']).success && addressOf(set['HOST']) === undefined;
  if (isName && !set['MEDIA_HOST']) {
    faults.push({ name: 'MEDIA_HOST', message: 'is required if HOST is a name, and must be an IP address' });
  }
  if (set['TURN_URLS'] && !set['TURN_SECRET'])
    faults.push({ name: 'TURN_SECRET', message: 'is required with TURN_URLS' });
  if (set['TURN_SECRET'] && !set['TURN_URLS'])
    faults.push({ name: 'TURN_URLS', message: 'is required with TURN_SECRET' });
  for (const [name, other] of [
    ['TLS_CERT', 'TLS_KEY'],
    ['TLS_KEY', 'TLS_CERT'],
  ] as const) {
    if (set[other] && !set[name]) faults.push({ name, message: `is required with ${other}` });
  }
  const given = S3_VARIABLES.find((name) => set[name]);
  for (const name of given ? S3_VARIABLES : []) {
    if (!set[name]) faults.push({ name, message: `is required with ${given}` });
  }
  if (given && set['RECORDINGS_DIR'] === 'off') {
    faults.push({
      name: 'RECORDINGS_DIR',
      message: `must be a folder if ${given} is set: recordings are written there first`,
    });
  }
  if (set['TLS_CERT'] && set['PUBLIC_URL']?.startsWith('http:')) {
    faults.push({ name: 'PUBLIC_URL', message: 'must begin with https: if TLS_CERT is set' });
  }
  return faults;
}

/** MEDIA_HOST, or else HOST. Undefined: all addresses. */
function mediaHost({ MEDIA_HOST, HOST }: Variables): string | undefined {
  const host = MEDIA_HOST ?? addressOf(HOST);
  return host === undefined || isEveryAddress(host) ? undefined : host;
}

/** MEDIA_TCP_PORT, or else the UDP port, so that one firewall rule fits both. */
function mediaTcpPort(read: Variables): number | undefined {
  const { MEDIA_TCP_PORT: port = read.MEDIA_UDP_PORT } = read;
  return port === 'off' ? undefined : port;
}

/** Ports of workers that would be above 65535, or equal to PORT. */
function portFaults(read: Variables): Fault[] {
  const { PORT, MEDIA_UDP_PORT: udp, MEDIA_WORKERS: workers } = read;
  const tcp = mediaTcpPort(read);
  const last = 65_535 - workers + 1;
  const each = `because ${workers} MEDIA_WORKERS need a port each`;
  const faults: Fault[] = [];
  const message = `must be ${last} or less, ${each}`;
  if (udp > last) faults.push({ name: 'MEDIA_UDP_PORT', message });
  else if (tcp !== undefined && tcp > last) faults.push({ name: 'MEDIA_TCP_PORT', message });
  if (tcp && PORT >= tcp && PORT < tcp + workers) {
    const own = `must not include PORT, ${each}; if unset, it is MEDIA_UDP_PORT`;
    faults.push({ name: 'MEDIA_TCP_PORT', message: own });
  }
  return faults;
}

/** The address of a host. Undefined: the host is a name other than localhost. */
function addressOf(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  return host === 'localhost' ? '127.0.0.1' : canonicalAddress(host);
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
