/** About the response time of a nearby server. It makes the phases in between visible. */
const DELAY_MS = 300;

/** @throws the reason of `signal` when `signal` aborts */
export function delay(signal: AbortSignal, ms = DELAY_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

/** Runs a simulation to its end, or until `signal` aborts. */
export function runTimeline(signal: AbortSignal, run: () => Promise<void>): void {
  run().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
