import { onWake } from './wake.js';

/** Over after `ms` or on abort; after no more than `leastMs` when the machine is back. */
export function pause(
  ms: number,
  leastMs: number,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<void> {
  return new Promise((resolve) => {
    const began = now();
    const over = new AbortController();
    const done = (): void => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    let timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { signal: over.signal });
    onWake(over.signal, () => {
      clearTimeout(timer);
      timer = setTimeout(done, Math.max(0, leastMs - (now() - began)));
    });
  });
}
