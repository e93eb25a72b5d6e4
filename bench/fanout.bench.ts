import type { BenchResult } from './bench-result.js';
import { BenchProcess } from './support/bench-process.js';
import type { Crowd, GroupName } from './crowds/crowd.js';
import type { FanOut } from './crowds/fan-outs/fan-out.js';
import type { PlainFanOut } from './crowds/fan-outs/plain-loop.js';
import type { StreamgateFanOut } from './crowds/fan-outs/streamgate.js';
import { median } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

const SOCKETS = 10_000;
/** With one process for all clients, it would exceed the usual limit of open files. */
const CROWDS = 2;
const ROUNDS = 11;
/** An event that takes longer ends the round without a figure. */
const EVENT_WITHIN_MS = 30_000;

type Crowds = readonly BenchProcess<Crowd>[];

interface Round {
  /** From the start of the media to the last socket that receives the event. */
  readonly lastMs: number;
  /** The longest block of the server's event loop. */
  readonly blockedMs: number;
}

/**
 * Measures how soon 10,000 websockets of one process receive the event that their stream is live, and how long the event
 * loop is blocked meanwhile: our server with its real admission and a fake media engine, against a plain loop over as
 * many sockets. The rounds alternate. Sockets that do not connect are left out and counted, as are rounds in which not
 * every socket receives the event in time.
 */
export async function run(): Promise<BenchResult> {
  const ours = await BenchProcess.start<StreamgateFanOut>('crowds/fan-outs/streamgate.ts');
  const plain = await BenchProcess.start<PlainFanOut>('crowds/fan-outs/plain-loop.ts');
  const crowds = await Promise.all(Array.from({ length: CROWDS }, () => BenchProcess.start<Crowd>('crowds/crowd.ts')));
  try {
    const count = SOCKETS / CROWDS;
    progress(`connecting ${SOCKETS} viewers`);
    const { residentBytes: before } = await processCost(ours.pid);
    const { url: origin, token } = await ours.call('endpoint', null);
    for (const crowd of crowds) await crowd.call('openViewers', { origin, token, count });
    const { residentBytes: after } = await processCost(ours.pid);
    progress(`connecting ${SOCKETS} sockets to the plain loop`);
    const { url } = await plain.call('endpoint', null);
    for (const crowd of crowds) await crowd.call('openSockets', { url, count });

    const rounds = { ours: [] as Round[], plain: [] as Round[] };
    for (let round = 0; round < ROUNDS; round++) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      // Each round begins when all viewers have received the end of the round before.
      await expectTexts(crowds, 'viewers', round > 0 ? ['"inactive"', '"viewercount":0'] : []);
      await ours.call('prepare', null);
      await lastReceived(crowds, 'viewers');
      const viewers = await openCount(crowds, 'viewers');
      rounds.ours.push(...(await measure(ours, crowds, 'viewers', ['"active"', `"viewercount":${viewers}`])));
      rounds.plain.push(...(await measure(plain, crowds, 'sockets', ['"active"'])));
    }
    const medianOf = (name: keyof typeof rounds, figure: keyof Round) =>
      median(rounds[name].map((round) => round[figure]));
    const worstOf = (name: keyof typeof rounds, figure: keyof Round) =>
      Math.max(...rounds[name].map((round) => round[figure]));
    return {
      name: 'fanout',
      ratio: medianOf('ours', 'lastMs') / medianOf('plain', 'lastMs'),
      against: 'the time to the last socket of a plain loop over them',
      also: [
        {
          ratio: medianOf('ours', 'blockedMs') / medianOf('plain', 'blockedMs'),
          against: 'the time for which that loop blocks its event loop',
        },
      ],
      figures: {
        sockets: SOCKETS,
        missingViewers: SOCKETS - (await openCount(crowds, 'viewers')),
        missingSockets: SOCKETS - (await openCount(crowds, 'sockets')),
        missingRounds: 2 * ROUNDS - rounds.ours.length - rounds.plain.length,
        lastMs: medianOf('ours', 'lastMs'),
        slowestLastMs: worstOf('ours', 'lastMs'),
        blockedMs: medianOf('ours', 'blockedMs'),
        longestBlockedMs: worstOf('ours', 'blockedMs'),
        plainLastMs: medianOf('plain', 'lastMs'),
        plainSlowestLastMs: worstOf('plain', 'lastMs'),
        plainBlockedMs: medianOf('plain', 'blockedMs'),
        plainLongestBlockedMs: worstOf('plain', 'blockedMs'),
        kilobytesPerSocket: (after - before) / SOCKETS / 1024,
      },
    };
  } finally {
    await Promise.all([ours, plain, ...crowds].map((each) => each.stop()));
  }
}

/** Sends the event once. @returns no round if some socket does not receive all texts in time */
async function measure(
  fanOut: BenchProcess<FanOut>,
  crowds: Crowds,
  group: GroupName,
  texts: readonly string[],
): Promise<Round[]> {
  await expectTexts(crowds, group, texts);
  const start = BigInt(await fanOut.call('start', null));
  const last = await lastReceived(crowds, group);
  if (last === null) return [];
  return [{ lastMs: Number(last - start) / 1e6, blockedMs: await fanOut.call('longestBlock', null) }];
}

async function expectTexts(crowds: Crowds, group: GroupName, texts: readonly string[]): Promise<void> {
  await Promise.all(crowds.map((crowd) => crowd.call('expectTexts', { group, texts })));
}

async function openCount(crowds: Crowds, group: GroupName): Promise<number> {
  const counts = await Promise.all(crowds.map((crowd) => crowd.call('openCount', group)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** When the last socket of all crowds received the first text, in ns; null if some text did not arrive in time. */
async function lastReceived(crowds: Crowds, group: GroupName): Promise<bigint | null> {
  const times = await Promise.all(
    crowds.map((crowd) => crowd.call('lastReceived', { group, withinMs: EVENT_WITHIN_MS })),
  );
  return times.reduce<bigint | null>((last, time) => {
    if (time === null || last === null) return null;
    return BigInt(time) > last ? BigInt(time) : last;
  }, 0n);
}
