/** The server refused a viewer. */
export class RefusedError extends Error {
  override name = 'RefusedError';

  /** @param code the refusal code */
  constructor(readonly code: string) {
    super(`refused: ${code}`);
  }
}

/** A viewer was admitted, or got no answer, and received no picture in the time that a benchmark waits. */
export class NoPictureError extends Error {
  override name = 'NoPictureError';
}

/** The result of one attempt. On a loaded machine some attempts fail: they are counted, and the benchmark continues. */
export type Attempt<Value> = Value | RefusedError | NoPictureError;

/** Returns a `RefusedError` or a `NoPictureError` instead of throwing it. All other errors are thrown. */
export async function attempt<Value>(pending: Promise<Value>): Promise<Attempt<Value>> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof RefusedError || error instanceof NoPictureError) return error;
    throw error;
  }
}

/** Counts the viewers of a benchmark that received no picture, by reason. */
export class Misses {
  refused = 0;
  withoutPicture = 0;

  /** Counts the failed attempts. @returns the values of the others */
  countMisses<Value>(attempts: readonly Attempt<Value>[]): Value[] {
    return attempts.flatMap((each) => {
      if (each instanceof RefusedError) this.refused += 1;
      else if (each instanceof NoPictureError) this.withoutPicture += 1;
      else return [each];
      return [];
    });
  }

  get figures(): { readonly refused: number; readonly withoutPicture: number } {
    return { refused: this.refused, withoutPicture: this.withoutPicture };
  }
}

/** Rejects with a `NoPictureError` if the promise takes longer. */
export async function within<Value>(ms: number, pending: Promise<Value>, what: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoPictureError(`${what} took more than ${ms} ms`)), ms);
  try {
    return await Promise.race([pending, promise]);
  } finally {
    clearTimeout(timer);
  }
}
