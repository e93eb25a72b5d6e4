import { variableNames } from './environment-schema.js';
import { nearestName } from '../nearest-name.js';

/** Read by the command line. */
const OF_THE_COMMAND_LINE = ['STREAMGATE_SECRET', 'STREAMGATE_ENDPOINT'];

const KNOWN: ReadonlySet<string> = new Set([...variableNames, ...OF_THE_COMMAND_LINE]);

/** Every variable with such a prefix is probably meant for the server. */
const OWN_PREFIX = /^(?:STREAMGATE|MEDIA|TURN|STUN)_/;

/** Variables of other programs: Django has MEDIA_ROOT and MEDIA_URL. */
const OF_OTHERS: ReadonlySet<string> = new Set(['MEDIA_ROOT', 'MEDIA_URL']);

/** Variables that Kubernetes and Docker set for services named `turn`, `media` or `streamgate`. */
const OF_A_SERVICE = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP)(?:_\w+)?$/;
const ADDRESS_OF_A_SERVICE = /^(?:tcp|udp|sctp):\/\//;

export interface UnknownVariable {
  readonly variable: string;
  /** The known variable that is probably meant. Null: only the prefix matches. */
  readonly meant: string | null;
}

/**
 * Variables that the server does not read, although the operator probably expects it: variables that resemble a known
 * one (`TRUSTED_PROXY`) or have its prefix (`TURN_USERNAME`).
 */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): UnknownVariable[] {
  return Object.entries(env).flatMap(([variable, value = '']) => {
    if (KNOWN.has(variable) || OF_OTHERS.has(variable) || value.trim() === '') return [];
    if (OF_A_SERVICE.test(variable) || ADDRESS_OF_A_SERVICE.test(value)) return [];
    const meant = probableName(variable.toUpperCase()) ?? null;
    return meant !== null || OWN_PREFIX.test(variable) ? [{ variable, meant }] : [];
  });
}

function probableName(name: string): string | undefined {
  // Names in other programs that use Express.
  if (/^TRUST(?:ED)?_PROX/.test(name)) return 'TRUSTED_PROXIES';
  const bare = name.replace(/^STREAMGATE_/, '');
  return nearestName(name, KNOWN, limit) ?? nearestName(bare, KNOWN, limit);
}

/** Strict, because most variables belong to other programs: HOSTS is not ours, LOGLEVEL is. */
function limit(length: number): number {
  if (length < 8) return 0;
  return length < 15 ? 1 : 3;
}
