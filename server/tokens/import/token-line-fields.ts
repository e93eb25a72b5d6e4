import type { TokenKind } from '../token-record.js';
import type { Column, TokenLine } from './token-table.js';
import { parseJson } from '../../bounded-json.js';

/** What a line asks for, before the schema of a new token has checked it. */
export interface LineFields {
  /** The body of a create. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isActive: boolean;
}

/** A line that describes no token. */
export class LineError extends Error {
  override name = 'LineError';
}

/** Names or patterns, as the list of tokens has them; otherwise one name for each line or semicolon. */
const SEPARATORS = /[;\r\n]+/;
const YES = /^(true|yes|1)$/i;
const NO = /^(false|no|0)$/i;

/** Columns that only one kind of token has. A list that was exported has them for both, empty. */
const OWN = {
  publish: ['subscribeRequiresAuth', 'record', 'recordingRetentionDays'],
  subscribe: ['maxSessions', 'whenFull'],
} as const satisfies Record<TokenKind, readonly Column[]>;

/** @throws {LineError} a cell is for the other kind of token */
export function checkKind({ cells }: TokenLine, kind: TokenKind): void {
  const other = kind === 'publish' ? 'subscribe' : 'publish';
  const named = OWN[other].filter((column) => cells[column] !== undefined);
  if (named.length === 0) return;
  throw new LineError(`${named.join(', ')}: only ${other} tokens have that, and this makes ${kind} tokens`);
}

/**
 * The fields of a new token for a line. Cells have JSON where the list of tokens has it.
 * @param now milliseconds since 1970
 * @throws {LineError}
 */
export function fieldsOfLine({ cells }: TokenLine, now: number): LineFields {
  const bindIpsOnUsage =
    cells.bindIpsOnUsage === undefined ? undefined : numberOf('bindIpsOnUsage', cells.bindIpsOnUsage);
  const isBinding = bindIpsOnUsage !== undefined && bindIpsOnUsage > 0;
  const body = {
    label: cells.label,
    streams: cells.streams === undefined ? undefined : listOf('streams', cells.streams).map(streamOf),
    expires: cells.expiresOn === undefined ? undefined : secondsUntil(cells.expiresOn, now),
    allowedOrigins: given('allowedOrigins', cells.allowedOrigins, listOf),
    // With binding, the list of tokens has here what was bound so far: a new token has bound nothing.
    allowedIpAddresses: isBinding ? undefined : given('allowedIpAddresses', cells.allowedIpAddresses, listOf),
    deniedIpAddresses: given('deniedIpAddresses', cells.deniedIpAddresses, listOf),
    bindIpsOnUsage,
    allowedCountries: given('allowedCountries', cells.allowedCountries, listOf),
    deniedCountries: given('deniedCountries', cells.deniedCountries, listOf),
    subscribeRequiresAuth: given('subscribeRequiresAuth', cells.subscribeRequiresAuth, truthOf),
    record: given('record', cells.record, truthOf),
    recordingRetentionDays: given('recordingRetentionDays', cells.recordingRetentionDays, numberOf),
    maxSessions: given('maxSessions', cells.maxSessions, numberOf),
    whenFull: cells.whenFull?.trim(),
  };
  return {
    body: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && !isEmpty(value))),
    isActive: cells.isActive === undefined || truthOf('isActive', cells.isActive),
  };
}

/** An empty list is what a new token has: the same as none. */
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function given<Value>(
  name: string,
  cell: string | undefined,
  read: (name: string, cell: string) => Value,
): Value | undefined {
  return cell === undefined ? undefined : read(name, cell);
}

function listOf(name: string, cell: string): readonly unknown[] {
  if (!cell.trim().startsWith('[')) {
    return cell
      .split(SEPARATORS)
      .map((entry) => entry.trim())
      .filter(Boolean);
  }
  try {
    const list: unknown = parseJson(cell);
    if (Array.isArray(list)) return list;
  } catch {
    // Said below.
  }
  throw new LineError(`${name} must be a JSON list, or one entry for each line or semicolon`);
}

const streamOf = (entry: unknown): unknown =>
  typeof entry === 'string' ? { streamName: entry, isRegex: false } : entry;

function numberOf(name: string, cell: string): number {
  if (/^\d{1,10}$/.test(cell.trim())) return Number(cell);
  throw new LineError(`${name} must be a whole number`);
}

function truthOf(name: string, cell: string): boolean {
  if (YES.test(cell.trim())) return true;
  if (NO.test(cell.trim())) return false;
  throw new LineError(`${name} must be true or false`);
}

/** Rounded up: a token must not expire before its time. */
function secondsUntil(cell: string, now: number): number {
  const time = Date.parse(cell.trim());
  if (Number.isNaN(time)) throw new LineError('expiresOn must be a time such as 2026-11-20T13:00:00Z');
  if (time <= now) throw new LineError('expiresOn is in the past');
  return Math.ceil((time - now) / 1_000);
}
