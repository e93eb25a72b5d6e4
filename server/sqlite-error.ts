/** Primary result codes: https://www.sqlite.org/rescode.html */
export const ResultCode = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  inputOrOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const;

/** An error of SQLite itself, as node:sqlite throws it. */
export interface SqliteError extends Error {
  /** The extended result code: https://www.sqlite.org/rescode.html#extrc */
  readonly errcode: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** The result code without the details, which are in the bits above the lowest eight. */
export function resultCode({ errcode }: SqliteError): number {
  return errcode & 0xff;
}
