import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { within } from './media/until.ts';

/** Whether a program has ended, by itself or by a signal, which leaves it without an exit code. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** @throws it has ended, with its output so far */
export function requireRunning(child: ChildProcess, output: string): void {
  if (!hasEnded(child)) return;
  throw new Error(`${child.spawnfile} ended with ${child.exitCode ?? child.signalCode}:\n${output}`);
}

/** Ends a program, if it has not ended. @throws it has not ended in time, and is killed */
export async function endProgram(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  try {
    await within(() => `${child.spawnfile} ends after ${signal}`, exited);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Reads the output of a program until it has this. @param output all that it has printed so far */
export async function printed(child: ChildProcess, pattern: RegExp, output: () => string): Promise<RegExpExecArray> {
  const search = async (): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output());
      if (found) return found;
      requireRunning(child, output());
      await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data'), once(child, 'close')]);
    }
  };
  return await within(() => `the output has ${String(pattern)}:\n${output()}`, search());
}
