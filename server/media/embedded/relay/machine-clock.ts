/** What `performance.now()` lacks to be the clock that all processes of a machine share. It never jumps. */
const OFFSET_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** @param time by `performance.now()` @returns by the clock of the machine, in ms */
export const toMachineTime = (time: number): number => time + OFFSET_MS;

/** @param time by the clock of the machine, as another process told it */
export const fromMachineTime = (time: number): number => time - OFFSET_MS;
