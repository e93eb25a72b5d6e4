export type SessionErrorCode = 'already_connected' | 'not_connected' | 'session_ended' | 'stream_in_use';

/** What a session refuses to do: a stable code and a sentence for the person behind the client. */
export class SessionError extends Error {
  override name = 'SessionError';

  constructor(
    readonly code: SessionErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
