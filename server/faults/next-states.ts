import { reportFault, type FaultPart } from './fault.js';

/** For each state of a thing with a life: those that can follow. */
export type NextStates<Name extends string> = Readonly<Record<Name, readonly Name[]>>;

/** @returns false if `to` cannot follow `from`: a fault, which is reported, and the thing stays what it is */
export function mayFollow<Name extends string>(part: FaultPart, next: NextStates<Name>, from: Name, to: Name): boolean {
  if (next[from].includes(to)) return true;
  reportFault(part, new Error(`"${to}" cannot follow "${from}"`));
  return false;
}
