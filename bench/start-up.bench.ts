import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Cleanup } from '../test/support/cleanup.js';
import { dataFolder } from '../test/support/data-folder.js';
import type { BenchResult } from './bench-result.js';
import type { RowsRead } from './tokens/read-rows.js';
import type { StartUp } from './tokens/start-up-server.js';
import { storeTokens } from './tokens/stored-tokens.js';
import { progress } from './support/progress.js';

const FEW = 100;
const MANY = 1_000_000;
const ROUNDS = 3;

/** Runs a file of `bench/tokens` on a data folder, in a process with a heap of its own. @returns what the file sends */
async function runOn<Message>(file: string, dataDir: string, tokens: number): Promise<Message> {
  const child = fork(join(import.meta.dirname, 'tokens', file), [dataDir, String(tokens)], {
    execArgv: [...process.execArgv, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), exited]);
  if (typeof message !== 'object') throw new Error(`${file} ended without a result`);
  await exited;
  return message as Message;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * Measures the start of the server with a million tokens in SQLite, against reading their rows alone. Each token has a
 * restriction for every rule. The rounds alternate, so that a busy moment of the machine affects all. The ratio is that
 * of CPU time, because a busy machine changes it least.
 */
export async function run(): Promise<BenchResult> {
  const cleanup = new Cleanup();
  try {
    const [fewFolder, manyFolder] = [await dataFolder(cleanup), await dataFolder(cleanup)];
    progress(`storing ${MANY} tokens`);
    await storeTokens(fewFolder, FEW);
    await storeTokens(manyFolder, MANY);
    const rounds: { few: StartUp[]; many: StartUp[]; read: RowsRead[] } = { few: [], many: [], read: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      rounds.few.push(await runOn('start-up-server.ts', fewFolder, FEW));
      rounds.read.push(await runOn('read-rows.ts', manyFolder, MANY));
      rounds.many.push(await runOn('start-up-server.ts', manyFolder, MANY));
    }
    if (rounds.read.some(({ rows }) => rows !== 2 * MANY)) throw new Error('not every row was read');
    const few = (key: keyof StartUp) => median(rounds.few.map((start) => start[key]));
    const many = (key: keyof StartUp) => median(rounds.many.map((start) => start[key]));
    const read = (key: keyof RowsRead) => median(rounds.read.map((result) => result[key]));
    return {
      name: 'start-up',
      ratio: read('cpuMs') / many('cpuMs'),
      against: `the speed of reading the rows of the same ${MANY} tokens with node:sqlite alone`,
      figures: {
        firstAnswerSeconds1e6: many('ms') / 1_000,
        filledSeconds1e6: many('filledMs') / 1_000,
        seconds1e2: few('ms') / 1_000,
        readRowsSeconds1e6: read('ms') / 1_000,
        tokensPerSecond: MANY / ((many('filledMs') - few('filledMs')) / 1_000),
        cpuMicrosPerToken: ((many('cpuMs') - few('cpuMs')) * 1_000) / MANY,
        readRowsCpuMicrosPerToken: (read('cpuMs') * 1_000) / MANY,
        heapBytesPerToken: (many('heapBytes') - few('heapBytes')) / MANY,
        heapMegabytes: many('heapBytes') / 1e6,
        residentMegabytes: many('residentBytes') / 1e6,
        longestPauseMs: many('longestPauseMs'),
      },
    };
  } finally {
    await cleanup.run();
  }
}
