export interface LastFaultOptions {
  /** Called with the fault that nothing could be attributed to. Must not throw. */
  readonly onFault: (error: unknown) => void;
  /** Ends what the process does, with notice to those who use it. */
  readonly close: () => Promise<unknown>;
  /** How long `close` may take, in ms. */
  readonly withinMs: number;
}

/**
 * Ends this process in order when a fault reached no part of it: nobody knows in which state it left the rest. The process
 * ends with 1. Only for the main module of a process of our own, never in the process of somebody else.
 * @returns ends it
 */
export function endAtLastFault({ onFault, close, withinMs }: LastFaultOptions): () => void {
  let isEnding = false;
  const exit = () => process.exit(1);
  // Node also brings here the rejection of a promise that nobody awaits.
  const end = async (fault: unknown): Promise<void> => {
    onFault(fault);
    // The faults of a close that fails are told, and change nothing.
    if (isEnding) return;
    isEnding = true;
    process.exitCode = 1;
    setTimeout(exit, withinMs).unref();
    await close().catch(onFault);
    exit();
  };
  process.on('uncaughtException', end);
  return () => void process.removeListener('uncaughtException', end);
}
