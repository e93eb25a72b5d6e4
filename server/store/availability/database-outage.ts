import pg from 'pg';
import { DatabaseUnavailableError } from '../../errors.js';
import { DatabaseError } from '../database-errors.js';

/** Errors of sockets and name lookups. In a container network, a database that is not started has no name. */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Errors that node-postgres gives no code: a time limit, or a connection that broke off. */
const BROKEN_OFF = /timeout|Connection terminated/i;

/** By SQLSTATE: connection lost, out of connections, starting or stopping, a standby that is not promoted yet. */
const OUTAGE_STATES = /^(?:08|53|57P|25006$)/;

/**
 * Whether `error` is of a database that may answer later, although nobody changes the configuration. False for a wrong
 * password, for an unknown database and for every other fault.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return error.fault === 'busy' || isDriverOutage(error.cause);
  return error instanceof DatabaseError && isDriverOutage(error.cause);
}

function isDriverOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return OUTAGE_STATES.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if (!('code' in error)) return BROKEN_OFF.test(error.message);
  // A Unix socket that PostgreSQL has not created yet. The file of a certificate may be missing too.
  if (error.code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect';
  return SOCKET_CODES.has(String(error.code));
}
