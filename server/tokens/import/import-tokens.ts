import { setImmediate } from 'node:timers/promises';
import { ApiError, InvalidRequestError } from '../../errors.js';
import type { TokenKind } from '../token-record.js';
import { checkKind, fieldsOfLine, LineError } from './token-line-fields.js';
import { readTokenTable, type TokenLine } from './token-table.js';

/** A new token, checked. */
export interface ImportedToken<Fields> {
  readonly fields: Fields;
  readonly isActive: boolean;
}

/** The most lines of which an answer says what is wrong. */
const MAX_FAULTS = 100;
/** How long lines are checked before others have their turn. */
const TURN_MS = 5;

interface TableOptions<Fields> {
  readonly kind: TokenKind;
  /** The schema of a new token of this kind. @throws {InvalidRequestError} */
  readonly parse: (body: unknown) => Fields;
  /** What the schema does not check. @throws {InvalidRequestError} */
  readonly check: (fields: Fields) => void;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The tokens that a table describes. Either every line is right, or the error names each line that is wrong.
 * @throws {InvalidRequestError} `csv_unreadable`, `import_refused`
 */
export async function tokensOfTable<Fields>(
  csv: string,
  options: TableOptions<Fields>,
): Promise<readonly ImportedToken<Fields>[]> {
  const tokens: ImportedToken<Fields>[] = [];
  const faults: Record<string, readonly string[]> = {};
  let turnEndsAt = performance.now() + TURN_MS;
  for (const line of readTokenTable(csv)) {
    if (performance.now() > turnEndsAt) {
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
    try {
      tokens.push(tokenOfLine(line, options));
    } catch (error) {
      if (!(error instanceof LineError) && !(error instanceof ApiError)) throw error;
      if (Object.keys(faults).length < MAX_FAULTS) faults[`line ${line.line}`] = messagesOf(error);
    }
  }
  if (Object.keys(faults).length > 0) throw new InvalidRequestError(faults, { code: 'import_refused' });
  return tokens;
}

function tokenOfLine<Fields>(line: TokenLine, options: TableOptions<Fields>): ImportedToken<Fields> {
  const { kind, parse, check, now } = options;
  checkKind(line, kind);
  const { body, isActive } = fieldsOfLine(line, now);
  const fields = parse(body);
  check(fields);
  return { fields, isActive };
}

function messagesOf(error: LineError | ApiError): readonly string[] {
  if (!(error instanceof InvalidRequestError)) return [error.message];
  return Object.entries(error.errors).flatMap(([field, messages]) =>
    messages.map((message) => (field ? `${field}: ${message}` : message)),
  );
}
