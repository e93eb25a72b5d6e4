/** Waits for what other processes and threads bring about. Rejects when it does not come, saying what. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
