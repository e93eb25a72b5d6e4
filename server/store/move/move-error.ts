export type MoveErrorCode =
  'data_folder_in_use' | 'data_folder_version' | 'database_in_use' | 'database_not_empty' | 'move_failed';

/** The data was not moved, and both databases are as they were. The message contains nothing of the URL. */
export class MoveError extends Error {
  override name = 'MoveError';
  readonly code: MoveErrorCode;

  constructor(code: MoveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
