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

/** What a file of the support folder says of a data folder, in a process of its own: nobody's heap but its own. */
async function said<Answer>(file: string, dataDir: string): Promise<Answer> {
  const child = fork(join(import.meta.dirname, 'tokens', file), [dataDir], {
    execArgv: [...process.execArgv, '--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [answer] = await Promise.race([once(child, 'message'), exited]);
  if (typeof answer !== 'object') throw new Error(`${file} ended without an answer`);
  await exited;
  return answer as Answer;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * How long the server takes to start with a million tokens in SQLite, each of which has something for every rule,
 * against reading their rows alone. The rounds alternate, so that a busy moment of the machine touches all of them; the
 * ratio is of CPU time, which a busy machine changes least.
 */
export async function run(): Promise<BenchResult> {
  const cleanup = new Cleanup();
  try {
    const [fewAt, manyAt] = [await dataFolder(cleanup), await dataFolder(cleanup)];
    progress(`storing ${MANY} tokens`);
    await storeTokens(fewAt, FEW);
    await storeTokens(manyAt, MANY);
    const rounds: { few: StartUp[]; many: StartUp[]; read: RowsRead[] } = { few: [], many: [], read: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      rounds.few.push(await said('start-up-server.ts', fewAt));
      rounds.read.push(await said('read-rows.ts', manyAt));
      rounds.many.push(await said('start-up-server.ts', manyAt));
    }
    if (rounds.read.some(({ rows }) => rows !== 2 * MANY)) throw new Error('not every row was read');
    const few = (key: keyof StartUp) => median(rounds.few.map((start) => start[key]));
    const many = (key: keyof StartUp) => median(rounds.many.map((start) => start[key]));
    const read = (key: keyof RowsRead) => median(rounds.read.map((reading) => reading[key]));
    return {
      name: 'start-up',
      ratio: read('cpuMs') / many('cpuMs'),
      against: `the speed of reading the rows of the same ${MANY} tokens with better-sqlite3 alone`,
      figures: {
        seconds1e6: many('ms') / 1_000,
        seconds1e2: few('ms') / 1_000,
        readRowsSeconds1e6: read('ms') / 1_000,
        tokensPerSecond: MANY / ((many('ms') - few('ms')) / 1_000),
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
