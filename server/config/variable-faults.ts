import type { Variables } from './environment-schema.js';
import { addressOf, mediaTcpPort } from './media-address.js';
import { host } from './variable-schemas.js';

/** What is wrong with a variable. */
export interface VariableFault {
  readonly name: string;
  readonly message: string;
}

const S3_VARIABLES = [
  'RECORDINGS_S3_ENDPOINT',
  'RECORDINGS_S3_BUCKET',
  'RECORDINGS_S3_ACCESS_KEY_ID',
  'RECORDINGS_S3_SECRET_ACCESS_KEY',
] as const;

/** Variables that need another variable, which is not set. */
export function unpairedFaults(set: Readonly<Record<string, string | undefined>>): VariableFault[] {
  const faults: VariableFault[] = [];
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

/** What Janus needs, and what it cannot do. */
export function engineFaults(set: Readonly<Record<string, string | undefined>>): VariableFault[] {
  if (set['MEDIA_ENGINE'] !== 'janus') return [];
  const faults: VariableFault[] = [];
  if (!set['JANUS_URL']) faults.push({ name: 'JANUS_URL', message: 'is required with MEDIA_ENGINE=janus' });
  for (const name of ['RTMP_PORT', 'RECORDINGS_DIR']) {
    if (set[name] && set[name] !== 'off') {
      faults.push({ name, message: 'must be off with MEDIA_ENGINE=janus, which gives and takes no frames' });
    }
  }
  return faults;
}

/** Ports of workers that would be above 65535, or equal to PORT. */
export function portFaults(read: Variables): VariableFault[] {
  const { PORT, MEDIA_UDP_PORT: udp, MEDIA_WORKERS: workers } = read;
  const tcp = mediaTcpPort(read);
  const last = 65_535 - workers + 1;
  const each = `because ${workers} MEDIA_WORKERS need a port each`;
  const faults: VariableFault[] = [];
  const message = `must be ${last} or less, ${each}`;
  if (udp > last) faults.push({ name: 'MEDIA_UDP_PORT', message });
  else if (tcp !== undefined && tcp > last) faults.push({ name: 'MEDIA_TCP_PORT', message });
  if (tcp && PORT >= tcp && PORT < tcp + workers) {
    const own = `must not include PORT, ${each}; if unset, it is MEDIA_UDP_PORT`;
    faults.push({ name: 'MEDIA_TCP_PORT', message: own });
  }
  return faults;
}
