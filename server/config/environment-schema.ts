import { availableParallelism } from 'node:os';
import * as z from 'zod/mini';
import {
  announcedAddresses,
  bucketName,
  cdnUrl,
  databaseUrl,
  days,
  daysOrOff,
  headerName,
  host,
  httpUrl,
  keyPrefix,
  kilobitsPerSecond,
  logLevel,
  masterKey,
  networkList,
  onOrOff,
  origin,
  ownAddress,
  port,
  portOrOff,
  ratio,
  seconds,
  stunUrls,
  turnUrls,
  websocketUrl,
  websocketUrls,
  wholeNumber,
} from './variable-schemas.js';

/** Each worker is a process of about 60 MB, and needs a port. */
const MOST_WORKERS = 64;
/** A credential lets its owner try secrets offline. */
const SHORTEST_SECRET = 16;
const SHORTEST_TTL_S = 300;
const LONGEST_TTL_S = 86_400;
/** 0: names are not kept. */
const LONGEST_LEASE_S = 300;
const LONGEST_DRAIN_S = 3_600;
const LONGEST_DATABASE_WAIT_S = 86_400;
const LONGEST_KEPT_DAYS = 3_650;
/** Below this, sound and the smallest picture do not fit. */
const LOWEST_REMB_KBPS = 100;
const HIGHEST_REMB_KBPS = 100_000;

const workerCount = wholeNumber(1, MOST_WORKERS, `a number from 1 to ${MOST_WORKERS}`);

const metricsToken = z
  .string()
  .check(
    z.minLength(SHORTEST_SECRET, `must have ${SHORTEST_SECRET} characters or more`),
    z.regex(/^\S+$/, 'must have no spaces: it is sent in a header'),
  );

const sharedSecret = z.string().check(z.minLength(SHORTEST_SECRET, `must have ${SHORTEST_SECRET} characters or more`));

/** Every variable that the server reads. `.env.example` explains them. */
export const environmentSchema = z.object({
  PORT: z._default(port, 8080),
  HOST: z.optional(host),
  PUBLIC_URL: z.optional(origin),
  NODE_URL: z.optional(origin),
  NODE_RELAY: z._default(onOrOff, 'off'),
  TRUSTED_PROXIES: z._default(networkList, []),
  CLIENT_ADDRESS_HEADER: z._default(headerName, 'x-forwarded-for'),
  TLS_CERT: z.optional(z.string()),
  TLS_KEY: z.optional(z.string()),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(databaseUrl),
  DATABASE_WAIT_S: z._default(seconds(0, LONGEST_DATABASE_WAIT_S), 600),
  ENCRYPTION_KEY: z.optional(masterKey),
  EXPIRED_TOKENS_KEPT_DAYS: z._default(daysOrOff(0, LONGEST_KEPT_DAYS), 30),
  SESSIONS_KEPT_DAYS: z._default(days(0, LONGEST_KEPT_DAYS), 30),
  VIEWER_REPORTS: z._default(onOrOff, 'on'),
  MEDIA_ENGINE: z._default(z.enum(['embedded', 'janus']), 'embedded'),
  JANUS_URL: z.optional(websocketUrl),
  JANUS_EDGE_URLS: z._default(websocketUrls, []),
  JANUS_API_SECRET: z.optional(sharedSecret),
  JANUS_TOKEN: z.optional(z.string()),
  JANUS_ROOM_KEY: z.optional(sharedSecret),
  MEDIA_HOST: z.optional(ownAddress),
  MEDIA_UDP_PORT: z._default(port, 40_000),
  MEDIA_TCP_PORT: z.optional(portOrOff),
  MEDIA_WORKERS: z._default(workerCount, Math.min(availableParallelism(), MOST_WORKERS)),
  MEDIA_ANNOUNCED_IPS: z._default(announcedAddresses, []),
  MEDIA_SANDBOX: z._default(onOrOff, 'on'),
  MEDIA_MAX_REMB_KBPS: z._default(kilobitsPerSecond(LOWEST_REMB_KBPS, HIGHEST_REMB_KBPS), 4_000),
  STUN_URLS: z._default(stunUrls, []),
  TURN_URLS: z._default(turnUrls, []),
  TURN_SECRET: z.optional(sharedSecret),
  TURN_TTL_S: z._default(seconds(SHORTEST_TTL_S, LONGEST_TTL_S), 21_600),
  RESUME_WITHIN_S: z._default(seconds(0, LONGEST_LEASE_S), 10),
  DRAIN_WITHIN_S: z.optional(seconds(0, LONGEST_DRAIN_S)),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(httpUrl('http://collector.example.com:4318')),
  OTEL_SERVICE_NAME: z._default(z.string(), 'streamgate'),
  OTEL_TRACES_SAMPLER_ARG: z._default(ratio, 1),
  RTMP_PORT: z._default(portOrOff, 'off'),
  RTMP_HOST: z.optional(host),
  FFMPEG_PATH: z.optional(z.string()),
  RTMP_TRANSCODE: z._default(z.enum(['off', 'x264']), 'off'),
  RECORDINGS_DIR: z.optional(z.string()),
  RECORDINGS_MIN_FREE_MB: z.optional(wholeNumber(0, 999_999, 'a number of megabytes from 0 to 999999')),
  RECORDINGS_S3_ENDPOINT: z.optional(httpUrl('https://s3.example.com')),
  RECORDINGS_S3_BUCKET: z.optional(bucketName),
  RECORDINGS_S3_REGION: z._default(z.string(), 'auto'),
  RECORDINGS_S3_ACCESS_KEY_ID: z.optional(z.string()),
  RECORDINGS_S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  RECORDINGS_S3_PREFIX: z._default(keyPrefix, ''),
  HLS_CDN_URL: z.optional(cdnUrl),
  GEOIP_DB: z.optional(z.string()),
  UPSTREAM_ALLOWED_NETWORKS: z._default(networkList, []),
  WEBHOOK_ALLOWED_NETWORKS: z._default(networkList, []),
  METRICS_TOKEN: z.optional(metricsToken),
  LOG_LEVEL: z._default(logLevel, 'info'),
});
/** The variables as they are read, with their defaults. */
export type Variables = z.infer<typeof environmentSchema>;

export const variableNames: readonly string[] = Object.keys(environmentSchema.shape);
