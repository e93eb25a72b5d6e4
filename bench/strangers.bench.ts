import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { freePort } from '../test/support/free-port.js';
import { whep, whip } from '../test/support/ingest-client.js';
import { RtpPeer } from '../test/support/media/rtp-peer.js';
import { RestTokens } from '../test/support/rest-tokens.js';
import { startServer } from '../test/support/server-process.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { SIMULCAST_SSRCS, SimulcastSender } from './media/simulcast-sender.js';
import { FRAMES_PER_SECOND } from './media/video-sender.js';
import type { Watched, Watchers } from './media/watchers.js';
import type { Attackers } from './strangers/attackers.js';
import { attacks, type AttackedServer, type AttackName } from './strangers/attacks.js';
import type { Callers } from './strangers/callers.js';
import { BenchProcess } from './support/bench-process.js';
import { percentile } from './support/percentile.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

interface Sizes {
  readonly viewers: number;
  readonly strangers: number;
  /** All attacks together. */
  readonly attackMs: number;
  readonly calmMs: number;
}
const FULL: Sizes = { viewers: 20, strangers: 100, attackMs: 120_000, calmMs: 10_000 };
const QUICK: Sizes = { viewers: 3, strangers: 10, attackMs: 12_000, calmMs: 2_000 };

const CALLS_PER_SECOND = 10;
const MAX_CALL_P99_MS = 100;
/** How long after the attacks the memory may stay, and how much more than before there may be then. */
const MEMORY_BACK_MS = 60_000;
const MAX_MEMORY_GROWTH = 1.2;
const LIVE_CHECK_MS = 100;
const CONNECTED_WITHIN_MS = 10_000;
const STREAM = 'main/keynote';
const ATTACKS = Object.keys(attacks) as readonly AttackName[];

/**
 * A hundred strangers, each with a network of its own, do what has once stopped a server: each attack in turn, as often
 * as the server permits, for two minutes in all. Meanwhile twenty viewers watch, and ten viewers a second arrive.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const sizes = quick ? QUICK : FULL;
  const [mediaPort, rtmpPort] = [await freePort(), await freePort()];
  const server = await startServer({
    MEDIA_UDP_PORT: String(mediaPort),
    RTMP_PORT: String(rtmpPort),
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  });
  const watchers = await BenchProcess.start<Watchers>('media/watchers.ts');
  const callers = await BenchProcess.start<Callers>('strangers/callers.ts');
  const attackers = await BenchProcess.start<Attackers>('strangers/attackers.ts');
  const publisher = await RtpPeer.open({ role: 'publisher', simulcastSsrcs: SIMULCAST_SSRCS });
  const sender = new SimulcastSender(publisher);
  try {
    const { secret } = await server.cli('secret', 'create');
    const token = await new RestTokens(server.origin, String(secret)).publish('keynote');
    const published = await whip(server, { token, body: publisher.offer }, 'keynote');
    if (published.status !== 201) throw new Error(`nobody publishes: ${published.text}`);
    await publisher.accept({ answer: published.text });
    sender.start();
    while ((await whep(server, {}, STREAM)).status !== 201) await sleep(LIVE_CHECK_MS);
    const { first, offers } = await watchers.call('open', sizes.viewers);
    const answers = await Promise.all(offers.map(async (body) => (await whep(server, { body }, STREAM)).text));
    const connected = await watchers.call('accept', { first, answers, withinMs: CONNECTED_WITHIN_MS });
    if (connected < sizes.viewers) throw new Error(`only ${connected} viewers are connected`);

    const attacked: AttackedServer = { origin: server.origin, mediaPort, rtmpPort, stream: STREAM };
    const calm = await observe(() => sleep(sizes.calmMs));
    const before = await processCost(server.pid);
    const forMs = sizes.attackMs / ATTACKS.length;
    const figures: Record<string, number> = {};
    const times: number[] = [];
    let [framesMissing, soundMissing, failedCalls] = [0, 0, 0];
    for (const attack of ATTACKS) {
      progress(attack);
      const { watched, called, result } = await observe(() =>
        attackers.call('attack', { server: attacked, attack, strangers: sizes.strangers, forMs }),
      );
      process.stderr.write(`        ${JSON.stringify(result.statuses)}\n`);
      times.push(...called.times);
      failedCalls += called.failed;
      framesMissing += watched.videoMissing;
      soundMissing += watched.soundMissing;
      figures[`${attack}PerSecond`] = result.tries / (forMs / 1_000);
      figures[`${attack}CallP99Ms`] = percentile(called.times, 99);
      figures[`${attack}PacketsMissing`] = watched.videoMissing + watched.soundMissing;
    }
    const atEnd = await processCost(server.pid);
    progress('waiting for the memory');
    await sleep(quick ? 1_000 : MEMORY_BACK_MS);
    const after = await processCost(server.pid);
    const p99 = percentile(times, 99);
    return {
      name: 'strangers',
      ratio: p99 / MAX_CALL_P99_MS,
      against: `the 99th percentile of the director's calls of others, and ${MAX_CALL_P99_MS} ms`,
      also: [
        {
          ratio: framesMissing + soundMissing,
          against: 'the packets that viewers did not get, and one',
          target: { most: 0 },
        },
        {
          ratio: after.memoryBytes / before.memoryBytes,
          against: 'the memory a minute after the attacks, and before them',
          target: { most: MAX_MEMORY_GROWTH },
        },
      ],
      figures: {
        calmCallP99Ms: percentile(calm.called.times, 99),
        calmVideoDelayP99Ms: calm.watched.video.p99Ms,
        calls: times.length,
        callP50Ms: percentile(times, 50),
        callP99Ms: p99,
        slowestCallMs: percentile(times, 100),
        failedCalls,
        framesSent: (sizes.attackMs / 1_000) * FRAMES_PER_SECOND,
        megabytesBefore: before.memoryBytes / 1e6,
        megabytesAtEnd: atEnd.memoryBytes / 1e6,
        megabytesAfter: after.memoryBytes / 1e6,
        ...figures,
      },
    };
  } finally {
    sender.stop();
    publisher.close();
    await Promise.all([attackers.stop(), callers.stop(), watchers.stop()]);
    await server.stop();
  }

  /** What viewers and callers experience meanwhile. */
  async function observe<Result>(meanwhile: () => Promise<Result>) {
    await watchers.call('collect', null as never);
    await callers.call('begin', { origin: server.origin, stream: STREAM, perSecond: CALLS_PER_SECOND });
    const result = await meanwhile();
    const called = await callers.call('end', null);
    const watched: Watched = await watchers.call('collect', null as never);
    return { result, called, watched };
  }
}
