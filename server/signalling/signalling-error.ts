/** A command's refusal: a stable code and a sentence for the person behind the client. */
export class SignallingError extends Error {
  override name = 'SignallingError';

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
