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
  containment: Containment = NOTHING_ENDS,
): (...args: Args) => void {
  // Not by `attempt`, which would need a closure for each call: listeners of requests and packets are busy.
  return (...args) => {
    try {
      const result = listener(...args);
      if (isThenable(result)) result.then(undefined, (error: unknown) => containFault(part, error, containment));
    } catch (error) {
      containFault(part, error, containment);
    }
  };
}

const NOTHING_ENDS: Containment = Object.freeze({});

/**
 * Does work that nobody waits for, as `contain` does when it is called.
 * @returns false if it failed at once
 */
export function attempt(part: FaultPart, work: () => unknown, containment: Containment = NOTHING_ENDS): boolean {
  try {
    const result = work();
    if (isThenable(result)) result.then(undefined, (error: unknown) => containFault(part, error, containment));
    return true;
  } catch (error) {
    containFault(part, error, containment);
    return false;
  }
}

function containFault(part: FaultPart, error: unknown, { onFault, of = {} }: Containment): void {
  reportFault(part, error, { of });
  if (!onFault) return;
  try {
    onFault(error);
  } catch (second) {
    reportFault(part, second, { of });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
