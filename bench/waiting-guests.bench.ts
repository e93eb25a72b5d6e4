import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { whip } from '../test/support/ingest-client.js';
import { RtpPeer } from '../test/support/media/rtp-peer.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import type { WaitingGuestsProcess } from './crowds/waiting-guests.js';
import { SIMULCAST_SSRCS, SimulcastSender } from './media/simulcast-sender.js';
import { BenchProcess } from './support/bench-process.js';
import { percentile } from './support/percentile.js';
import { processCost, type ProcessCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

interface Sizes {
  readonly guests: number;
  /** Those of them who watch when they are told, spread among them. */
  readonly sample: number;
  /** Until the work of the start, or of the arrival, is done. */
  readonly settleMs: number;
  readonly measureMs: number;
}
/** The second measurement is as long as the guests take to ask twice for a sign of life. */
const FULL: Sizes = { guests: 10_000, sample: 200, settleMs: 20_000, measureMs: 90_000 };
const QUICK: Sizes = { guests: 200, sample: 10, settleMs: 1_000, measureMs: 3_000 };

const MAX_CPU_PERCENT = 5;
const MAX_FIRST_PACKET_MS = 3_000;
const PLAYED_WITHIN_MS = 30_000;
const STREAM = 'keynote';
/** Of the crowd, and of the sample: in this many groups they arrive. */
const GROUPS = 200;

/**
 * Ten thousand viewers without a token come before the broadcast, and wait. Measures what that costs the server, and how
 * long after the first packet of the broadcast those of a sample have theirs. All of them ask the director when they are
 * told that the stream is live; those of the sample watch.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const { guests, sample, settleMs, measureMs } = quick ? QUICK : FULL;
  const server = await startServer({ LOG_LEVEL: 'error' });
  const crowd = await BenchProcess.start<WaitingGuestsProcess>('crowds/waiting-guests.ts');
  const watchers = await BenchProcess.start<WaitingGuestsProcess>('crowds/waiting-guests.ts');
  const publisher = await RtpPeer.open({ role: 'publisher', simulcastSsrcs: SIMULCAST_SSRCS });
  const sender = new SimulcastSender(publisher);
  /** In percent of a core. */
  const cpuOver = async (ms: number): Promise<{ percent: number; after: ProcessCost }> => {
    const before = await processCost(server.pid);
    await sleep(ms);
    const after = await processCost(server.pid);
    return { percent: (after.cpuMicros - before.cpuMicros) / (ms * 10), after };
  };
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish(STREAM);
    await sleep(settleMs);
    progress('without guests');
    const idle = await cpuOver(Math.min(measureMs, 30_000));
    progress(`${guests} guests arrive`);
    const arrival = { origin: server.origin, streamName: STREAM };
    const arrive = (process: typeof crowd, count: number, isSample: boolean) =>
      process.call('arrive', { ...arrival, guests: count, atOnce: Math.ceil(count / GROUPS), isSample });
    await Promise.all([arrive(crowd, guests - sample, false), arrive(watchers, sample, true)]);
    await sleep(settleMs);
    progress('they wait');
    const waiting = await cpuOver(measureMs);

    const published = await whip(server, { token, body: publisher.offer }, STREAM);
    if (published.status !== 201) throw new Error(`nobody publishes: ${published.text}`);
    await publisher.accept({ answer: published.text });
    const beganAt = Date.now();
    sender.start();
    const results = async () => {
      const all = await Promise.all([crowd, watchers].map((process) => process.call('result', null as never)));
      const told = all.flatMap((result) => result.told);
      const played = all.flatMap((result) => result.played);
      const refused = all.flatMap((result) => result.refused);
      return { told, played, refused, lost: all.reduce((sum, result) => sum + result.lost, 0) };
    };
    let result = await results();
    while (result.played.length < sample && Date.now() - beganAt < PLAYED_WITHIN_MS) {
      await sleep(100);
      result = await results();
    }
    const { told, played, refused, lost } = result;
    if (refused.length > 0) progress(`${refused.length} are refused: ${[...new Set(refused)].slice(0, 5).join(', ')}`);
    const after = (times: readonly number[]) => times.map((at) => at - beganAt);
    const slowest = percentile(after(played), 100);
    return {
      name: 'waiting-guests',
      ratio: (waiting.percent - idle.percent) / MAX_CPU_PERCENT,
      against: `the CPU time that ${guests} waiting guests cost, and ${MAX_CPU_PERCENT} % of a core`,
      also: [
        {
          ratio: slowest / MAX_FIRST_PACKET_MS,
          against: `the time from the first packet of the broadcast to that of the last of ${sample} guests, and ${MAX_FIRST_PACKET_MS} ms`,
          target: { most: 1 },
        },
        {
          ratio: guests - told.length + refused.length + sample - played.length,
          against: 'the guests who were not told, were refused or got no media, and one',
          target: { most: 0 },
        },
      ],
      figures: {
        guests,
        idleCpuPercent: idle.percent,
        waitingCpuPercent: waiting.percent,
        toldP50Ms: percentile(after(told), 50),
        toldLastMs: percentile(after(told), 100),
        playedP50Ms: percentile(after(played), 50),
        playedLastMs: slowest,
        refused: refused.length,
        lost,
        kilobytesPerGuest: (waiting.after.memoryBytes - idle.after.memoryBytes) / guests / 1e3,
      },
    };
  } finally {
    sender.stop();
    publisher.close();
    await crowd.stop();
    await watchers.stop();
    await server.stop();
  }
}
