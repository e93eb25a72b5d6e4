export interface ManagementErrorOptions extends ErrorOptions {
  readonly code: string;
  readonly status: number;
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A management call that did not succeed. Its message is for a person, its code for a program. */
export class ManagementError extends Error {
  override name = 'ManagementError';
  /** The service's word for what is wrong, or `unreachable`, or `malformed_answer`. Each has a page in docs/errors. */
  readonly code: string;
  /** The HTTP status; 0 when nothing answered, or not to the end. */
  readonly status: number;
  /** What is wrong with each field of what was sent, where that is the trouble. */
  readonly errors: Readonly<Record<string, readonly string[]>>;

  constructor(message: string, { code, status, errors = {}, ...options }: ManagementErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.errors = errors;
  }
}
