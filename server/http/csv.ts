import { withoutFormulas } from '../spreadsheet-text.js';

/** RFC 4180: text with commas, quotes or line breaks is quoted. */
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * A table with a header row. A column such as `quality.freezes` is a field of an object. Null and absent values are
 * empty. No text is a formula, wherever a spreadsheet splits it.
 */
export function csvOf(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => valueOf(row, column)))];
  return lines.map((fields) => `${fields.map(csvField).join(',')}\r\n`).join('');
}

function valueOf(row: unknown, column: string): unknown {
  return column.split('.').reduce((value, name) => Object(value)[name], row);
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = withoutFormulas(text);
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
