/**
 * Wraps a listener of a socket, a process or a timer so that it never throws. An error that such a listener throws would
 * end the process, and every session with it.
 * @param onError must not throw
 */
export function catchErrors<Args extends readonly unknown[]>(
  onError: (error: unknown) => void,
  listener: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      listener(...args);
    } catch (error) {
      onError(error);
    }
  };
}
