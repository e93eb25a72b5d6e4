import type { CommandOptions, CommandResult } from './command.js';

/** The option of lists that the API has as tables. */
export const csvOption: CommandOptions = {
  csv: { description: 'all pages as a table for spreadsheets (CSV)' },
};

/** A table with a header row. Its last line break comes from the output. */
export function csvResult(csv: string): CommandResult {
  return { data: { csv }, text: csv.replace(/\n$/, '') };
}
