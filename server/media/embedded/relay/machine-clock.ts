import { monotonicNow } from '../../../monotonic-now.js';

/** What `performance.now()` lacks to be the clock of the machine. */
const OFFSET_MS = monotonicNow() - performance.now();

/** @param time by `performance.now()` @returns by the clock of the machine, in ms */
export const toMachineTime = (time: number): number => time + OFFSET_MS;

/** @param time by the clock of the machine, as another process told it */
export const fromMachineTime = (time: number): number => time - OFFSET_MS;
