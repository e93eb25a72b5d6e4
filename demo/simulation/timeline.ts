/** As long as a service nearby takes for an answer: what happens in between can be seen. */
const A_MOMENT_MS = 300;

/** @throws the reason of `signal`, once that aborts */
export function delay(signal: AbortSignal, ms = A_MOMENT_MS): Promise<void> {
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

/** Plays one act to its end, or until `signal` aborts. */
export function runTimeline(signal: AbortSignal, act: () => Promise<void>): void {
  act().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
