/** RFC 4180: text with commas, quotes or line breaks is quoted. */
const NEEDS_QUOTES = /[",\r\n]/;
/** Spreadsheets take text that begins so for a formula; with apostrophes, so that the text can be read back. */
const FORMULA = /^'*[=+\-@\t\r]/;

/**
 * A table with a header row. A column such as `quality.freezes` is a field of an object. Null and absent values are
 * empty. Text that a spreadsheet would take for a formula begins
 * with an apostrophe.
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
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
