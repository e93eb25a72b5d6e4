import { contain } from './contain.js';
import type { FaultPart } from './fault.js';

/** Calls once, after some milliseconds. A fault of the callback is contained. */
export function after(part: FaultPart, ms: number, callback: () => unknown): NodeJS.Timeout {
  return setTimeout(contain(part, callback), ms);
}

/** Calls again and again, after some milliseconds each. A fault of one call does not end the next ones. */
export function every(part: FaultPart, ms: number, callback: () => unknown): NodeJS.Timeout {
  return setInterval(contain(part, callback), ms);
}
