/**
 * Wraps a listener of a socket, a process or a timer so that nothing it throws leaves it. What such a listener throws
 * ends the process, and every session with it.
 * @param onFault must not throw
 */
export function catchErrors<Args extends readonly unknown[]>(
  onFault: (error: unknown) => void,
  listener: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      listener(...args);
    } catch (error) {
      onFault(error);
    }
  };
}
