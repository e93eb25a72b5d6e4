import { RejectedError, type RefusalCode, type StreamError } from './errors.js';

/** How a run is over that nobody stopped: it does not try again by itself. */
export type TerminalPhase =
  /** The service said no; `message` is its sentence. `retryable`: the same request can succeed later. */
  | {
      readonly name: 'rejected';
      readonly reason: RefusalCode;
      readonly message: string;
      readonly retryable: boolean;
    }
  | { readonly name: 'failed'; readonly error: StreamError };

export function terminalPhase(error: StreamError): TerminalPhase {
  return error instanceof RejectedError
    ? { name: 'rejected', reason: error.reason, message: error.message, retryable: error.retryable }
    : { name: 'failed', error };
}
