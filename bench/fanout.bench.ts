import type { BenchResult } from './bench-result.js';
import { BenchProcess } from './support/bench-process.js';
import type { Crowd } from './crowds/crowd.js';
import type { FanOut } from './crowds/fan-outs/fan-out.js';
import type { PlainFanOut } from './crowds/fan-outs/plain-loop.js';
import type { StreamgateFanOut } from './crowds/fan-outs/streamgate.js';
import { median } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

const SOCKETS = 10_000;
/** So that none has more files open than a process usually may. */
const CROWDS = 2;
const ROUNDS = 11;

type Crowds = readonly BenchProcess<Crowd>[];

interface Told {
  /** From the word that media flows to the last one who heard it. */
  readonly lastMs: number;
  /** How long nobody else had a turn in the server. */
  readonly blockedMs: number;
}

/**
 * How soon 10,000 websockets of one process hear that their stream began, and how long the process does nothing else
 * meanwhile: our server, with its real way in and a media engine that only says that media flows, against a plain loop
 * over as many sockets. The rounds alternate.
 */
export async function run(): Promise<BenchResult> {
  const ours = await BenchProcess.start<StreamgateFanOut>('crowds/fan-outs/streamgate.ts');
  const plain = await BenchProcess.start<PlainFanOut>('crowds/fan-outs/plain-loop.ts');
  const crowds = await Promise.all(Array.from({ length: CROWDS }, () => BenchProcess.start<Crowd>('crowds/crowd.ts')));
  try {
    const count = SOCKETS / CROWDS;
    progress(`connecting twice ${SOCKETS} sockets`);
    const { residentBytes: before } = await processCost(ours.pid);
    const { url: origin, token } = await ours.call('place', null);
    for (const crowd of crowds) await crowd.call('openViewers', { origin, token, count });
    const { residentBytes: after } = await processCost(ours.pid);
    const { url } = await plain.call('place', null);
    for (const crowd of crowds) await crowd.call('openSockets', { url, count });

    const told = { ours: [] as Told[], plain: [] as Told[] };
    for (let round = 0; round < ROUNDS; round++) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      // Before it begins, all have heard that it was over, and that nobody counts as a viewer any more.
      const over = round > 0 ? ['"inactive"', '"viewercount":0'] : [];
      await listen(crowds, over);
      await ours.call('prepare', null);
      await lastHeard(crowds);
      told.ours.push(await tell(ours, crowds, ['"active"', `"viewercount":${SOCKETS}`]));
      told.plain.push(await tell(plain, crowds, ['"active"']));
    }
    const middle = (rounds: Told[], figure: keyof Told) => median(rounds.map((round) => round[figure]));
    const worst = (rounds: Told[], figure: keyof Told) => Math.max(...rounds.map((round) => round[figure]));
    return {
      name: 'fanout',
      ratio: middle(told.ours, 'lastMs') / middle(told.plain, 'lastMs'),
      against: 'the time to the last socket of a plain loop over them',
      also: [
        {
          ratio: middle(told.ours, 'blockedMs') / middle(told.plain, 'blockedMs'),
          against: 'the time that loop blocks the process for',
        },
      ],
      figures: {
        sockets: SOCKETS,
        lastMs: middle(told.ours, 'lastMs'),
        slowestLastMs: worst(told.ours, 'lastMs'),
        blockedMs: middle(told.ours, 'blockedMs'),
        longestBlockedMs: worst(told.ours, 'blockedMs'),
        plainLastMs: middle(told.plain, 'lastMs'),
        plainSlowestLastMs: worst(told.plain, 'lastMs'),
        plainBlockedMs: middle(told.plain, 'blockedMs'),
        plainLongestBlockedMs: worst(told.plain, 'blockedMs'),
        kilobytesPerSocket: (after - before) / SOCKETS / 1024,
      },
    };
  } finally {
    await Promise.all([ours, plain, ...crowds].map((each) => each.stop()));
  }
}

/** Tells everybody once, and waits until all have heard it: the first word is what counts. */
async function tell(fanOut: BenchProcess<FanOut>, crowds: Crowds, words: readonly string[]): Promise<Told> {
  await listen(crowds, words);
  const began = BigInt(await fanOut.call('start', null));
  const lastMs = Number((await lastHeard(crowds)) - began) / 1e6;
  return { lastMs, blockedMs: await fanOut.call('longestBlock', null) };
}

async function listen(crowds: Crowds, words: readonly string[]): Promise<void> {
  await Promise.all(crowds.map((crowd) => crowd.call('listen', { words, expected: SOCKETS / CROWDS })));
}

/** When the last one heard the first word, in ns. */
async function lastHeard(crowds: Crowds): Promise<bigint> {
  const heard = await Promise.all(crowds.map((crowd) => crowd.call('lastHeard', null)));
  const lost = heard.reduce((sum, each) => sum + each.lost, 0);
  if (lost) throw new Error(`${lost} sockets were closed. The machine may be out of memory or of file descriptors.`);
  return heard.map(({ at }) => BigInt(at)).reduce((last, at) => (at > last ? at : last));
}
