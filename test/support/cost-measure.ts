import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** An input of one size, ready to be read. */
export interface Reading {
  readonly size: number;
  /** Returns what was read. */
  run(): unknown;
}

export interface CostLimits {
  /** CPU time in ms, at the limit. */
  readonly maxMs: number;
  /** How many times longer each byte may take in four times the input. */
  readonly maxGrowth: number;
  /** Bytes of memory for each byte that the input grows by. */
  readonly maxMemory: number;
  /** Bytes of memory that a call takes for itself, whatever the size of its input. */
  readonly fixedMemory: number;
}

/** Other processes only add to what is measured, so the least of many rounds is the truest. */
const MOST_ROUNDS = 60;
/** The CPU time that is measured at once. The clock of a process is not exact far below this. */
const SAMPLE_MS = 0.4;
const MOST_RUNS = 1_000;
const LIMIT_ROUNDS = 40;
/** Work of which it is known how much CPU time it takes where the limits were set, if nothing else runs. */
const KNOWN_WORK = `[${Array<string>(4_000).fill('{"a":[1,"b"]}').join()}]`;
const KNOWN_MS = 0.55;

/**
 * Checks the time of `whole`, and that it is linear: the same bytes, read as one input and as several of a quarter of
 * its size, take the same time. Both are repeated until that time can be measured, so growth shows at any size.
 */
export async function mustTakeLittleTime(
  quarter: Reading,
  whole: Reading,
  limits: CostLimits,
  minRounds: number,
): Promise<void> {
  const { maxMs, maxGrowth } = limits;
  // Code that costs this much at a quarter of the input may take minutes for all of it.
  for (const reading of [quarter, whole]) {
    const ms = await leastMs(reading, maxMs);
    assert.ok(ms <= maxMs, `${reading.size} take ${ms.toFixed(2)} ms of CPU, more than ${maxMs} ms`);
  }
  // An element of this size cannot grow.
  if (quarter.size < whole.size / 16) return;
  // Large elements do not fill a quarter.
  const parts = Math.max(1, whole.size / Math.max(1, quarter.size));
  // Both are read often before: the compiler makes code fast only then.
  await runsOfASample(quarter);
  const times = await runsOfASample(whole);
  let inParts = Infinity;
  let atOnce = Infinity;
  for (let round = 1; round <= MOST_ROUNDS; round++) {
    const runs = Math.ceil(times * parts);
    inParts = Math.min(inParts, ((await cpuMsOf(quarter, runs)) / runs) * parts);
    atOnce = Math.min(atOnce, (await cpuMsOf(whole, times)) / times);
    if (round >= minRounds && atOnce <= maxGrowth * inParts) return;
  }
  const [small, large] = [inParts.toFixed(4), atOnce.toFixed(4)];
  assert.fail(`${whole.size} take ${large} ms of CPU at once, and ${small} ms in parts of ${quarter.size}: not linear`);
}

/**
 * The CPU time of one run, as it is where the limits were set. Slow ones are tried again: the compiler needs some time to
 * make code fast, and what else runs on this machine takes room in its caches.
 */
async function leastMs(reading: Reading, maxMs: number): Promise<number> {
  let least = await cpuMsOf(reading, 1);
  let known = Infinity;
  let slowness = 1;
  for (let round = 1; round < LIMIT_ROUNDS && least / slowness > maxMs; round++) {
    least = Math.min(least, await cpuMsOf(reading, 1));
    known = Math.min(known, await cpuMsOf({ size: KNOWN_WORK.length, run: () => JSON.parse(KNOWN_WORK) }, 1));
    slowness = Math.max(1, known / KNOWN_MS);
  }
  return least / slowness;
}

/** How many runs are measured together. */
async function runsOfASample(reading: Reading): Promise<number> {
  for (let times = 1; ; times *= 4) {
    const ms = await cpuMsOf(reading, times);
    if (ms >= SAMPLE_MS / 4 || times > MOST_RUNS) return Math.ceil(times * Math.max(1, SAMPLE_MS / Math.max(ms, 0.01)));
  }
}

/** The CPU time of this process, however busy the machine is. */
async function cpuMsOf({ run }: Reading, times: number): Promise<number> {
  const start = process.cpuUsage();
  for (let count = 0; count < times; count++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const MEMORY_ROUNDS = 30;
/** Small inputs are read several times, to see more than what the measure itself takes. */
const MEMORY_SAMPLE = 4 * 1024;

/**
 * Checks the memory that reading takes: its result, and all that has not been collected when it ends. It is a line over
 * the size of the input, with a limit for its slope and one for its start.
 */
export async function mustTakeLittleMemory(quarter: Reading, whole: Reading, limits: CostLimits): Promise<void> {
  const { maxMemory, fixedMemory } = limits;
  for (const reading of [quarter, whole]) {
    const most = fixedMemory + maxMemory * reading.size;
    let least = Infinity;
    for (let round = 0; round < MEMORY_ROUNDS && least > most; round++)
      least = Math.min(least, await memoryOf(reading));
    assert.ok(
      least <= most,
      `${reading.size} take ${Math.round(least)} bytes of memory, more than ${maxMemory} for each byte and ${fixedMemory}`,
    );
  }
}

/** The memory of one run, in bytes. Infinite if something was collected meanwhile. */
async function memoryOf({ size, run }: Reading): Promise<number> {
  const times = Math.max(1, Math.ceil(MEMORY_SAMPLE / Math.max(1, size)));
  const results: unknown[] = Array.from({ length: times });
  collectGarbage();
  const before = memoryUsed();
  for (let index = 0; index < times; index++) {
    const result = run();
    results[index] = result instanceof Promise ? await result : result;
  }
  const used = memoryUsed() - before;
  return results.length > 0 && used >= 0 ? used / times : Infinity;
}

function memoryUsed(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Empties the young generation, so that no other collection follows while little is read. */
function collectGarbage(): void {
  collector({ type: 'minor' });
}

setFlagsFromString('--expose-gc');
const collector = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
