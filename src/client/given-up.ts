import { RejectedError, type RefusalReason, type StreamError } from './errors.js';

/** How a run is over that nobody stopped: it does not try again by itself. */
export type GivenUp =
  /** The service said no; `message` is its sentence. `retryable`: the same request can succeed later. */
  | {
      readonly name: 'rejected';
      readonly reason: RefusalReason;
      readonly message: string;
      readonly retryable: boolean;
    }
  | { readonly name: 'failed'; readonly error: StreamError };

export function givenUp(error: StreamError): GivenUp {
  return error instanceof RejectedError
    ? { name: 'rejected', reason: error.reason, message: error.message, retryable: error.retryable }
    : { name: 'failed', error };
}
