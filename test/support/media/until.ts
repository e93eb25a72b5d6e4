/** Long, because shared machines can be ten times slower than usual. */
const WITHIN_MS = 60_000;
// Tests replace the timers of the process.
const { setTimeout, clearTimeout } = globalThis;

/**
 * Waits until a condition holds. Rejects after a timeout, with the description.
 * @param withinMs the default is long, because shared machines can be ten times slower than usual
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Waits for what may never come. Rejects after a timeout, with the description. Without it a test that fails hangs, and
 * with it all that wait for it, and nothing says why.
 */
export async function within<Value>(
  what: string | (() => string),
  awaited: Promise<Value>,
  withinMs = WITHIN_MS,
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`timed out: ${typeof what === 'string' ? what : what()}`));
  }, withinMs);
  try {
    return await Promise.race([awaited, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
