import { reportFault, type FaultOwner, type FaultPart } from './fault.js';

export interface Containment {
  /** Ends what the fault belongs to, and only that. */
  readonly onFault?: ((error: unknown) => void) | undefined;
  /** What that is, for the log. */
  readonly of?: FaultOwner;
}

/**
 * Wraps a listener of a socket, a timer, a process or a stream, so that neither its error nor the rejection of its promise
 * leaves it. Outside it would end the process, and every session with it. The fault is logged and counted.
 */
export function contain<Args extends readonly unknown[]>(
  part: FaultPart,
  listener: (...args: Args) => unknown,
  containment: Containment = {},
): (...args: Args) => void {
  return (...args) => void attempt(part, () => listener(...args), containment);
}

/**
 * Does work that nobody waits for, as `contain` does when it is called.
 * @returns false if it failed at once
 */
export function attempt(part: FaultPart, work: () => unknown, { onFault, of = {} }: Containment = {}): boolean {
  const contained = (error: unknown): void => {
    reportFault(part, error, { of });
    if (!onFault) return;
    try {
      onFault(error);
    } catch (second) {
      reportFault(part, second, { of });
    }
  };
  try {
    const result = work();
    if (isThenable(result)) result.then(undefined, contained);
    return true;
  } catch (error) {
    contained(error);
    return false;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
