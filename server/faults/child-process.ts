import { followFaults, type FaultOwner } from './fault.js';
import { endAtLastFault } from './last-fault.js';
import { logNodeWarnings, writeWarningLine } from './node-warnings.js';

/** What a child process tells its parent of faults, which counts and logs them. */
export interface FaultMessage {
  readonly type: 'fault';
  /** The stack. */
  readonly text: string;
  readonly of: FaultOwner;
  readonly count: number;
}

/** After a fault is told, those of this time are told together: a loop that fails must not flood the channel. */
const GATHERED_MS = 1_000;
/** Nobody waits for what the process has in hand: its parent starts another one. */
const END_WITHIN_MS = 3_000;

/**
 * Has this child process tell its faults, and end in order at one that belongs to nothing. Call once, in its main module.
 * @param close ends what the process does
 */
export function guardChildProcess(close: () => Promise<unknown>): void {
  let gathered: FaultMessage | undefined;
  let timer: NodeJS.Timeout | undefined;
  let told: Promise<unknown> = Promise.resolve();
  const flush = (): void => {
    timer = undefined;
    if (!gathered) return;
    told = sent(gathered);
    gathered = undefined;
    timer = setTimeout(flush, GATHERED_MS).unref();
  };
  const tell = (error: unknown, of: FaultOwner = {}, count = 1): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    gathered = { type: 'fault', text, of, count: count + (gathered?.count ?? 0) };
    if (!timer) flush();
  };
  followFaults(({ error, of, count }) => tell(error, of, count));
  logNodeWarnings(writeWarningLine);
  endAtLastFault({
    onFault(error) {
      tell(error);
      clearTimeout(timer);
      flush();
    },
    close: () => Promise.all([told, close()]),
    withinMs: END_WITHIN_MS,
  });
}

export function isFaultMessage(message: { readonly type: string }): message is FaultMessage {
  return message.type === 'fault';
}

/** Resolves when the parent has it, or is gone: `process.exit` would cut it off. */
function sent(message: FaultMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send!(message, undefined, undefined, () => resolve());
    else resolve();
  });
}
