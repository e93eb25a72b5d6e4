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
  /** Until the work of the start, or of the arrival, is done. */
  readonly settleMs: number;
  readonly measureMs: number;
}
/** The second measurement is as long as the guests take to ask twice for a sign of life. */
const FULL: Sizes = { guests: 10_000, settleMs: 20_000, measureMs: 90_000 };
const QUICK: Sizes = { guests: 200, settleMs: 1_000, measureMs: 3_000 };

const MAX_CPU_PERCENT = 5;
const MAX_TOLD_MS = 1_000;
const TOLD_WITHIN_MS = 20_000;
const STREAM = 'main/keynote';

/**
 * Ten thousand viewers without a token come before the broadcast, and wait. Measures what
 * that costs the server, and how long after its start the last of them is told of it.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const { guests, settleMs, measureMs } = quick ? QUICK : FULL;
  const server = await startServer({ LOG_LEVEL: 'error' });
  const crowd = await BenchProcess.start<WaitingGuestsProcess>('crowds/waiting-guests.ts');
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
    const token = await new RestTokens(server.origin, String(secret)).publish('keynote');
    await sleep(settleMs);
    progress('without guests');
    const idle = await cpuOver(Math.min(measureMs, 30_000));
    progress(`${guests} guests arrive`);
    await crowd.call('arrive', { origin: server.origin, stream: STREAM, guests });
    await sleep(settleMs);
    progress('they wait');
    const waiting = await cpuOver(measureMs);

    const published = await whip(server, { token, body: publisher.offer }, 'keynote');
    if (published.status !== 201) throw new Error(`nobody publishes: ${published.text}`);
    await publisher.accept({ answer: published.text });
    const beganAt = Date.now();
    sender.start();
    let { told, lost } = await crowd.call('result', null as never);
    while (told.length + lost < guests && Date.now() - beganAt < TOLD_WITHIN_MS) {
      await sleep(100);
      ({ told, lost } = await crowd.call('result', null as never));
    }
    const times = told.map((at) => at - beganAt);
    const slowest = percentile(times, 100);
    return {
      name: 'waiting-guests',
      ratio: (waiting.percent - idle.percent) / MAX_CPU_PERCENT,
      against: `the CPU time that ${guests} waiting guests cost, and ${MAX_CPU_PERCENT} % of a core`,
      also: [
        {
          ratio: slowest / MAX_TOLD_MS,
          against: `the time from the first packet until the last guest is told, and ${MAX_TOLD_MS} ms`,
          target: { most: 1 },
        },
        { ratio: guests - told.length, against: 'the guests who were not told, and one', target: { most: 0 } },
      ],
      figures: {
        guests,
        idleCpuPercent: idle.percent,
        waitingCpuPercent: waiting.percent,
        toldP50Ms: percentile(times, 50),
        toldLastMs: slowest,
        lost,
        kilobytesPerGuest: (waiting.after.memoryBytes - idle.after.memoryBytes) / guests / 1e3,
      },
    };
  } finally {
    sender.stop();
    publisher.close();
    await crowd.stop();
    await server.stop();
  }
}
