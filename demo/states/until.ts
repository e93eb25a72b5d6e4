/** Looks at every frame. @throws the reason of `signal`, once that aborts */
export async function until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isSo()) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    signal.throwIfAborted();
  }
}
