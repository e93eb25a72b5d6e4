import { CsvError, parse as parseCsv } from 'csv-parse/sync';
import { MAX_IMPORTED_TOKENS } from '../../../src/wire/management/token-import.js';
import { InvalidRequestError } from '../../errors.js';
import { withFormulas } from '../../spreadsheet-text.js';

/** The cells of one token by the names of their columns. Empty cells are absent. */
export interface TokenLine {
  /** Of the file, from 1. A token with line breaks in its cells begins here. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
}

/** Columns that describe a token, as the list of tokens has them. */
const COLUMNS = [
  'label',
  'streams',
  'expiresOn',
  'isActive',
  'allowedOrigins',
  'allowedIpAddresses',
  'deniedIpAddresses',
  'bindIpsOnUsage',
  'allowedCountries',
  'deniedCountries',
  'subscribeRequiresAuth',
  'record',
  'recordingRetentionDays',
  'maxSessions',
  'whenFull',
] as const;
/** Columns of the list that a new token gets from the server. */
const IGNORED: ReadonlySet<string> = new Set(['id', 'addedOn', 'token']);

export type Column = (typeof COLUMNS)[number];

/** A token that is made by a JSON body is no longer, and neither is its row. In characters. */
const MOST_OF_ROW = 64 * 1024;
/** More than there are columns. */
const MOST_CELLS = 64;
/** With the header, and one more to see that there are too many. */
const MOST_ROWS = MAX_IMPORTED_TOKENS + 2;
/** Lines that end with two characters count twice. */
const MOST_EMPTY_LINES = 10_000;
/** The unknown columns that an error names. */
const MOST_NAMED = 5;

/** What spreadsheets write, by country. */
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Reads a table with a header row (RFC 4180), as the list of tokens is exported, or as spreadsheets write it.
 * @throws {InvalidRequestError} `csv_unreadable`
 */
export function readTokenTable(csv: string): readonly TokenLine[] {
  const [header, ...rows] = recordsOf(csv);
  if (!header) throw unreadable('file', 'the file is empty: the first row must name the columns');
  const columns = header.cells.map((name) => name.trim());
  const unknown = columns.filter((name) => !isColumn(name) && !IGNORED.has(name));
  if (unknown.length > 0) {
    const named = unknown.slice(0, MOST_NAMED).join(', ');
    throw unreadable('line 1', `unknown columns: ${named}; known are: ${COLUMNS.join(', ')}`);
  }
  const repeated = columns.find((name, index) => columns.indexOf(name) !== index);
  if (repeated !== undefined) throw unreadable('line 1', `the column ${repeated} is there twice`);
  if (!columns.some(isColumn)) throw unreadable('line 1', `no column describes a token: ${COLUMNS.join(', ')}`);
  if (rows.length === 0) throw unreadable('file', 'the file has no row below the names of the columns');
  if (rows.length > MAX_IMPORTED_TOKENS) {
    throw unreadable('file', `the file has more than ${MAX_IMPORTED_TOKENS} tokens: split it`);
  }
  return rows.map(({ line, cells }) => {
    if (cells.length !== columns.length) {
      throw unreadable(`line ${line}`, `has ${cells.length} cells, and the first row names ${columns.length} columns`);
    }
    const named = columns.flatMap((name, index): [string, string][] => {
      const text = withFormulas(cells[index]!);
      return isColumn(name) && text.trim() !== '' ? [[name, text]] : [];
    });
    return { line, cells: Object.fromEntries(named) };
  });
}

const isColumn = (name: string): name is Column => COLUMNS.some((column) => column === name);

function recordsOf(csv: string): readonly { readonly line: number; readonly cells: readonly string[] }[] {
  const delimiter = delimiterOf(csv);
  const rows = csv.slice(0, endOfRows(csv, delimiter));
  // The parser makes an error for each row of another length: with stacks, a thousand of them take 15 ms.
  const { stackTraceLimit } = Error;
  try {
    const lines: number[] = [];
    Error.stackTraceLimit = 0;
    const records = parseCsv(rows, {
      bom: true,
      delimiter,
      to: MOST_ROWS,
      max_record_size: MOST_OF_ROW,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(record: string[], info) {
        // The line counted last is the last one of the record, whose cells may have line breaks.
        const own = record.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
        lines.push(info.lines - own);
        return record;
      },
    });
    return records.map((cells, index) => ({ line: lines[index]!, cells }));
  } catch (error) {
    if (error instanceof CsvError) throw unreadable('file', `this is not CSV: ${error.message}`);
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The one that the first row has most of. */
function delimiterOf(csv: string): string {
  const end = csv.search(/[\r\n]/);
  const first = end < 0 ? csv : csv.slice(0, end);
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Where the rows end that are parsed. Looks among them for what the parser takes long for and has no limit for.
 * @throws {InvalidRequestError} `csv_unreadable`: a row with too many cells, or too many empty lines
 */
function endOfRows(csv: string, delimiter: string): number {
  const delimiterCode = delimiter.charCodeAt(0);
  let line = 1;
  let rows = 0;
  let emptyLines = 0;
  let rowStart = 0;
  let delimiters = 0;
  let isQuoted = false;
  for (let index = 0; index < csv.length; index++) {
    const code = csv.charCodeAt(index);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (code === LINE_FEED) line += 1;
    if (isQuoted) continue;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      if (index === rowStart) emptyLines += 1;
      else if (++rows > MOST_ROWS) return index + 1;
      if (emptyLines > MOST_EMPTY_LINES) throw unreadable('file', `more than ${MOST_EMPTY_LINES} lines are empty`);
      rowStart = index + 1;
      delimiters = 0;
    } else if (code === delimiterCode && (delimiters += 1) === MOST_CELLS) {
      throw unreadable(`line ${line}`, `has more than ${MOST_CELLS} cells`);
    }
  }
  return csv.length;
}

function unreadable(where: string, message: string): InvalidRequestError {
  return new InvalidRequestError({ [where]: [message] }, { code: 'csv_unreadable' });
}
