import { isIP } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ConfigError, configFaultText } from './config-error.js';
import { environmentSchema, type Variables } from './environment-schema.js';
import { isEveryAddress, mediaHost, mediaTcpPort } from './media-address.js';
import { engineFaults, portFaults, unpairedFaults, type VariableFault } from './variable-faults.js';

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

/** The Janus servers that carry the media. */
export interface JanusConfig {
  /** Of the websocket API of the Janus that publishers connect to. */
  readonly url: string;
  /** Of the Janus that viewers connect to. Empty: the same as publishers. */
  readonly edgeUrls: readonly string[];
  /** What Janus asks for. Never logged. */
  readonly apiSecret: string | undefined;
  readonly token: string | undefined;
  readonly roomKey: string | undefined;
}

export interface Config {
  /** 0: a free port. */
  readonly port: number;
  /** The address to listen on. Undefined: all addresses. */
  readonly host: string | undefined;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl: string | undefined;
  /** The origin at which clients reach this server and no other. Undefined: the host of each request. */
  readonly nodeUrl: string | undefined;
  /** Whether viewers watch streams of other servers here, over a relay. */
  readonly nodeRelay: boolean;
  /** Addresses and CIDR ranges, in canonical form, whose header with the address of the client is believed. */
  readonly trustedProxies: readonly string[];
  /** That header, in lower case. */
  readonly clientAddressHeader: string;
  /** The files of the certificate. Undefined: the server speaks HTTP. */
  readonly tls: CertificateFiles | undefined;
  readonly dataDir: string;
  /** URL of the PostgreSQL database. Undefined: SQLite in the data folder. Never logged, because it holds a password. */
  readonly databaseUrl: string | undefined;
  /** How long a start waits for a database that is away, in seconds. */
  readonly databaseWaitS: number;
  /** The master key, 32 bytes. Undefined: the key file in the data folder. Never logged. */
  readonly encryptionKey: Uint8Array | undefined;
  /** Days until an expired token is deleted. Undefined: never. */
  readonly expiredTokensKeptDays: number | undefined;
  /** Days until what is known of an ended session is deleted. 0: sessions are not recorded. */
  readonly sessionsKeptDays: number;
  /** Whether viewers report what they see: the time to the first picture, freezes, resolution. */
  readonly viewerReports: boolean;
  /** Undefined: the embedded engine carries the media. */
  readonly janus: JanusConfig | undefined;
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
  /** Whether media processes may do only what they need. */
  readonly mediaSandbox: boolean;
  /** What REMB tells publishers without transport feedback, for all their encodings together, in kbit/s. */
  readonly mediaMaxRembKbps: number;
  /** STUN and TURN servers for browsers, as URLs. */
  readonly stunUrls: readonly string[];
  readonly turnUrls: readonly string[];
  /** The secret for TURN credentials, set if `turnUrls` is. Never logged. */
  readonly turnSecret: string | undefined;
  /** The lifetime of a TURN credential, in seconds. */
  readonly turnTtlS: number;
  /** How long the server keeps a stream name for a broadcaster whose connection was lost, in seconds. */
  readonly resumeWithinS: number;
  /** How long a server that stops waits for its clients to move to others, in seconds. Undefined: it depends on whether there are others. */
  readonly drainWithinS: number | undefined;
  /** Where traces are sent, over OTLP/HTTP: `/v1/traces` is added. Undefined: nowhere. */
  readonly otlpEndpoint: string | undefined;
  /** The name of the service in traces. */
  readonly otelServiceName: string;
  /** The part of the traces that is sent, 0 to 1. */
  readonly traceRatio: number;
  /** The port for encoders over RTMP and RTMPS. 0: a free port. Undefined: off. */
  readonly rtmpPort: number | undefined;
  /** The address for them. Undefined: all addresses. */
  readonly rtmpHost: string | undefined;
  /** The program that transcodes the media of encoders. Undefined: the first `ffmpeg` in the PATH. */
  readonly ffmpegPath: string | undefined;
  /** What becomes of video with B-frames over RTMP: it is refused, or encoded again. */
  readonly rtmpTranscode: 'off' | 'x264';
  /** The folder of recordings. Undefined: nothing is recorded. */
  readonly recordingsDir: string | undefined;
  /** How much of its disk recordings leave free. Undefined: a twentieth, at most 1 GB. */
  readonly recordingsMinFreeBytes: number | undefined;
  /** Where recordings are copied when they are ready. Undefined: they stay in the folder. */
  readonly recordingsS3: S3Config | undefined;
  /** Where a CDN fetches segments of recordings from this server, without a slash at the end. Undefined: there is none. */
  readonly hlsCdnUrl: string | undefined;
  /** A file of the countries of addresses, in MaxMind's format. Undefined: countries are not known. */
  readonly geoipDb: string | undefined;
  /** Addresses and ranges outside the internet that upstreams may be in. Empty: none. */
  readonly upstreamAllowedNetworks: readonly string[];
  /** Addresses and ranges outside the internet that webhooks may be in. Empty: none. */
  readonly webhookAllowedNetworks: readonly string[];
  /** What a reader of the metrics presents. Undefined: nobody may read them. Never logged. */
  readonly metricsToken: string | undefined;
  readonly logLevel: Variables['LOG_LEVEL'];
}

/**
 * Reads the configuration from variables of the environment. An empty variable counts as unset, and white space around a
 * value, which may have been pasted, does not count.
 * @throws {ConfigError} with every fault
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value = '']) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );
  const result = environmentSchema.safeParse(set, { error: z.locales.en().localeError });
  const faults =
    result.error?.issues.map(({ path, message }): VariableFault => ({ name: String(path[0]), message })) ?? [];
  faults.push(...unpairedFaults(set));
  faults.push(...engineFaults(set));
  if (result.success) faults.push(...portFaults(result.data));
  if (!result.success || faults.length > 0) {
    throw new ConfigError([...new Set(faults.map(({ name, message }) => configFaultText(name, message, set[name])))]);
  }
  const read = result.data;
  return Object.freeze({
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL,
    nodeUrl: read.NODE_URL ?? read.PUBLIC_URL,
    nodeRelay: read.NODE_RELAY === 'on',
    trustedProxies: read.TRUSTED_PROXIES,
    clientAddressHeader: read.CLIENT_ADDRESS_HEADER,
    tls: read.TLS_CERT && read.TLS_KEY ? { certFile: read.TLS_CERT, keyFile: read.TLS_KEY } : undefined,
    dataDir: read.DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    databaseWaitS: read.DATABASE_WAIT_S,
    encryptionKey: read.ENCRYPTION_KEY,
    expiredTokensKeptDays: read.EXPIRED_TOKENS_KEPT_DAYS === 'off' ? undefined : read.EXPIRED_TOKENS_KEPT_DAYS,
    sessionsKeptDays: read.SESSIONS_KEPT_DAYS,
    viewerReports: read.VIEWER_REPORTS === 'on',
    janus: janus(read),
    mediaHost: mediaHost(read),
    mediaUdpPort: read.MEDIA_UDP_PORT,
    mediaTcpPort: mediaTcpPort(read),
    mediaWorkers: read.MEDIA_WORKERS,
    mediaAnnouncedIps: [...new Set(read.MEDIA_ANNOUNCED_IPS)],
    mediaSandbox: read.MEDIA_SANDBOX === 'on',
    mediaMaxRembKbps: read.MEDIA_MAX_REMB_KBPS,
    stunUrls: read.STUN_URLS,
    turnUrls: read.TURN_URLS,
    turnSecret: read.TURN_SECRET,
    turnTtlS: read.TURN_TTL_S,
    resumeWithinS: read.RESUME_WITHIN_S,
    drainWithinS: read.DRAIN_WITHIN_S,
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    otelServiceName: read.OTEL_SERVICE_NAME,
    traceRatio: read.OTEL_TRACES_SAMPLER_ARG,
    rtmpPort: read.RTMP_PORT === 'off' ? undefined : read.RTMP_PORT,
    rtmpHost: read.RTMP_HOST ?? read.HOST,
    ffmpegPath: read.FFMPEG_PATH,
    rtmpTranscode: read.RTMP_TRANSCODE,
    recordingsDir: recordingsDir(read),
    recordingsMinFreeBytes: read.RECORDINGS_MIN_FREE_MB && read.RECORDINGS_MIN_FREE_MB * 1_000_000,
    recordingsS3: recordingsS3(read),
    hlsCdnUrl: read.HLS_CDN_URL,
    geoipDb: read.GEOIP_DB,
    upstreamAllowedNetworks: read.UPSTREAM_ALLOWED_NETWORKS,
    webhookAllowedNetworks: read.WEBHOOK_ALLOWED_NETWORKS,
    metricsToken: read.METRICS_TOKEN,
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

/** `engineFaults` has seen to it that the URL is set with Janus. */
function janus(read: Variables): JanusConfig | undefined {
  const { MEDIA_ENGINE: engine, JANUS_URL: url, JANUS_EDGE_URLS: edgeUrls } = read;
  if (engine !== 'janus' || url === undefined) return undefined;
  return { url, edgeUrls, apiSecret: read.JANUS_API_SECRET, token: read.JANUS_TOKEN, roomKey: read.JANUS_ROOM_KEY };
}

/** Janus gives no frames, so nothing can be recorded. */
function recordingsDir({ RECORDINGS_DIR, DATA_DIR, MEDIA_ENGINE }: Variables): string | undefined {
  if (RECORDINGS_DIR === 'off' || MEDIA_ENGINE === 'janus') return undefined;
  return RECORDINGS_DIR ?? join(DATA_DIR, 'recordings');
}

/** `unpairedFaults` has seen to it that all are set, or none. */
function recordingsS3(read: Variables): S3Config | undefined {
  const { RECORDINGS_S3_ENDPOINT: endpoint, RECORDINGS_S3_BUCKET: bucket } = read;
  const { RECORDINGS_S3_ACCESS_KEY_ID: accessKeyId, RECORDINGS_S3_SECRET_ACCESS_KEY: secretAccessKey } = read;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey) return undefined;
  const { RECORDINGS_S3_REGION: region, RECORDINGS_S3_PREFIX: prefix } = read;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix };
}
