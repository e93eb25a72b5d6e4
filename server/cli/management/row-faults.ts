import type { CommandResult } from '../command.js';

/** What a list has of something stored. With `fault`, it cannot be read. */
interface Listed {
  readonly fault?: { readonly code: string; readonly message: string } | null | undefined;
}

/** The last column of a list: only rows that cannot be read have it. */
export function faultColumn({ fault }: Listed): readonly string[] {
  return fault ? [fault.code] : [];
}

/** How many there are, and what to do about each that cannot be read. */
export function listNote<Row extends Listed>(
  rows: readonly Row[],
  total: number,
  nameOf: (row: Row) => string,
): string {
  return [`${rows.length} of ${total}`, faultNote(rows, nameOf).note].filter(Boolean).join('\n');
}

/** Says what to do about each row of a list that cannot be read. */
export function faultNote<Row extends Listed>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Pick<CommandResult, 'note'> {
  const lines = rows.flatMap((row) => (row.fault ? [`${nameOf(row)}: ${row.fault.message}`] : []));
  return lines.length > 0 ? { note: lines.join('\n') } : {};
}
