/** Waits until a condition holds. Rejects after a timeout, with the description. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out:  ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
