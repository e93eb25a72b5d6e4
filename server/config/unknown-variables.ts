import { variableNames } from './config.js';
import { nearestName } from './nearest-name.js';

/** Of the command line, which asks a server by them. */
const OF_THE_COMMAND_LINE = ['STREAMGATE_SECRET', 'STREAMGATE_ENDPOINT'];

const KNOWN: ReadonlySet<string> = new Set([...variableNames, ...OF_THE_COMMAND_LINE]);

/** What begins so is meant for us, however it goes on. */
const OWN_PREFIX = /^(?:STREAMGATE|MEDIA|TURN|STUN)_/;

/** Of other programs: Django has folders for media. */
const OF_OTHERS: ReadonlySet<string> = new Set(['MEDIA_ROOT', 'MEDIA_URL']);

/** What Kubernetes and Docker set for a service next to us that is called `turn` or `media`, or is ours. */
const OF_A_SERVICE = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP)(?:_\w+)?$/;
const ADDRESS_OF_A_SERVICE = /^(?:tcp|udp|sctp):\/\//;

export interface UnknownVariable {
  readonly variable: string;
  /** The one that may be meant. Null: it only begins as ours do. */
  readonly meant: string | null;
}

/**
 * The variables that the server does not read although whoever set them may believe so: they resemble one of ours
 * (`TRUSTED_PROXY`), or begin as ours do (`TURN_USERNAME`).
 */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): UnknownVariable[] {
  return Object.entries(env).flatMap(([variable, value = '']) => {
    if (KNOWN.has(variable) || OF_OTHERS.has(variable) || value.trim() === '') return [];
    if (OF_A_SERVICE.test(variable) || ADDRESS_OF_A_SERVICE.test(value)) return [];
    const meant = meantBy(variable.toUpperCase()) ?? null;
    return meant !== null || OWN_PREFIX.test(variable) ? [{ variable, meant }] : [];
  });
}

function meantBy(name: string): string | undefined {
  // Of many programs on Express.
  if (/^TRUST(?:ED)?_PROX/.test(name)) return 'TRUSTED_PROXIES';
  const bare = name.replace(/^STREAMGATE_/, '');
  return nearestName(name, KNOWN, limit) ?? nearestName(bare, KNOWN, limit);
}

/** Strict, as most variables are those of other programs: HOSTS is none of ours, LOGLEVEL is meant to be. */
function limit(length: number): number {
  if (length < 8) return 0;
  return length < 15 ? 1 : 3;
}
