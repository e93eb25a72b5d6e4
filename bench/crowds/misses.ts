/** A viewer that the server turned away. */
export class RefusedError extends Error {
  override name = 'RefusedError';

  /** @param code the word that the server refused with */
  constructor(readonly code: string) {
    super(`refused: ${code}`);
  }
}

/** A viewer that was let in, or never answered, and saw nothing for as long as a benchmark waits. */
export class NoPictureError extends Error {
  override name = 'NoPictureError';
}

/** What came of one attempt. On a loaded machine not every viewer gets in: that is counted, and ends no benchmark. */
export type Attempt<Value> = Value | RefusedError | NoPictureError;

/** Waits for an attempt. Only a refusal and a picture that does not come are counted; all else is a fault, and thrown. */
export async function attempt<Value>(trying: Promise<Value>): Promise<Attempt<Value>> {
  try {
    return await trying;
  } catch (error) {
    if (error instanceof RefusedError || error instanceof NoPictureError) return error;
    throw error;
  }
}

/** How many of a benchmark's viewers did not get to see anything, and why. */
export class Misses {
  refused = 0;
  withoutPicture = 0;

  /** Notes those that missed it. @returns what the others brought */
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

/** Rejects with a `NoPictureError` when it takes longer. */
export async function within<Value>(ms: number, waited: Promise<Value>, what: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoPictureError(`${what} took more than ${ms} ms`)), ms);
  try {
    return await Promise.race([waited, promise]);
  } finally {
    clearTimeout(timer);
  }
}
