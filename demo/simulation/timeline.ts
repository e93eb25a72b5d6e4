/** The response time of the simulated server. It makes the phases in between visible. */
export const responseTime = { ms: 300 };

/** Waits for the simulated server. @throws the reason of `signal` when `signal` aborts */
export function response(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, responseTime.ms);
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
