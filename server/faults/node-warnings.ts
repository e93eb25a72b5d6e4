import type { EventEmitter } from 'node:events';
import { contain } from './contain.js';

/**
 * Has the log tell what Node warns of, such as a deprecated setting of a library. Node prints it as text for people, which
 * a reader of the log, one line of JSON for each entry, cannot read. Call once, in the main module of a process of our own.
 * @param write gets each warning; its `name` is the kind, such as `DeprecationWarning`
 */
export function logNodeWarnings(write: (warning: Error) => void, from: EventEmitter = process): void {
  from.removeAllListeners('warning');
  from.on('warning', contain('server', write));
}

/** For child processes, which have no logger, and whose output is that of the server. */
export function writeWarningLine({ name, message, stack }: Error): void {
  const err = { message, stack };
  const entry = { level: 40, time: Date.now(), err, warning: name, pid: process.pid, msg: 'Node warns of something' };
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}
