/** Shorter waits are for peers that answer. Longer ones are for those that do not. */
const LONG_MS = 5_000;

/**
 * Has the time-outs of the code in this process pass several times as fast, so that a test of clients that never answer
 * does not wait for half a minute.
 * @param times below 1: they pass as much slower
 * @returns stops it
 */
export function hurryTimeouts(times: number): () => void {
  const { setTimeout, setInterval } = globalThis;
  const hurry = <Timer extends typeof setTimeout | typeof setInterval>(timer: Timer): Timer =>
    new Proxy(timer, {
      apply: (target, self, [callback, ms, ...rest]: [unknown, number | undefined, ...unknown[]]) =>
        Reflect.apply(target, self, [callback, ms !== undefined && ms >= LONG_MS ? ms / times : ms, ...rest]),
    });
  Object.assign(globalThis, { setTimeout: hurry(setTimeout), setInterval: hurry(setInterval) });
  return () => void Object.assign(globalThis, { setTimeout, setInterval });
}
