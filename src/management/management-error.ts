import type { ErrorCode } from './error-code.js';

export interface ManagementErrorOptions extends ErrorOptions {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A management call that failed. `message` is for people, `code` for programs. */
export class ManagementError extends Error {
  override name = 'ManagementError';
  /**
   * The server's code, or `unreachable`, or `malformed_answer`. Each has a page in docs/errors. A later server may send
   * another one: a `switch` needs a `default`.
   */
  readonly code: ErrorCode;
  /** The HTTP status. 0: there was no answer, or it broke off. */
  readonly status: number;
  /** The errors of each field of the request. Empty: the fields are not the reason. */
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(message: string, { code, status, errors = {}, ...options }: ManagementErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.errors = errors;
  }
}
