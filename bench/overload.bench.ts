import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../scripts/build.js';
import { RtpPeer } from '../test/support/media/rtp-peer.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { admitViewers } from './media/admit-viewers.js';
import type { OurForwarder } from './media/forwarders/streamgate.js';
import { LOOPBACK } from './media/network-path.js';
import { SIMULCAST_SSRCS, SimulcastSender } from './media/simulcast-sender.js';
import type { Watched, Watchers } from './media/watchers.js';
import { BenchProcess } from './support/bench-process.js';
import { progress } from './support/progress.js';

interface Sizes {
  readonly viewers: number;
  /** Of these, so many receive and measure. The others are stopped: they cost the worker as much, and the machine nothing. */
  readonly watchers: number;
  readonly calmMs: number;
  readonly overloadMs: number;
}
const FULL: Sizes = { viewers: 200, watchers: 5, calmMs: 4_000, overloadMs: 12_000 };
const QUICK: Sizes = { viewers: 40, watchers: 3, calmMs: 2_000, overloadMs: 4_000 };

/** How busy the worker is before the overload. */
const CALM_BUSY = 0.4;
const TIMES = 2;
/** Packets of a frame, at first: so few that no worker is overloaded. */
const FIRST_PACKETS = 2;
/** Steps to a load from which that of the worker can be told. */
const CALIBRATION_STEPS = 5;
const CALIBRATION_MS = 2_200;
const CALIBRATED_BUSY = 0.7;
const MAX_P99_MS = 300;
const MAX_RECOVERY_MS = 5_000;
const CONNECTED_WITHIN_MS = 20_000;
/** Stopped viewers are lost after 30 s, unless they answer again in between (RFC 7675). */
const CONSENT_MS = 7_000;
const BEST = SIMULCAST_SSRCS.length - 1;

/**
 * Offers a worker twice what it carries, for some seconds, and then less again. The load is found by measuring how busy
 * the worker is: more packets of each frame, to the same viewers. Most viewers are stopped processes, whose packets the
 * kernel drops: on one machine, receiving would cost as much as sending.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const sizes = quick ? QUICK : FULL;
  const forwarder = await BenchProcess.start<OurForwarder>('media/forwarders/streamgate.ts', {
    args: [LOOPBACK.serverAddress],
  });
  const crowd = await BenchProcess.start<Watchers>('media/watchers.ts');
  const watchers = await BenchProcess.start<Watchers>('media/watchers.ts');
  const publisher = await RtpPeer.open({ role: 'publisher', simulcastSsrcs: SIMULCAST_SSRCS });
  const sender = new SimulcastSender(publisher);
  try {
    await publisher.accept({ answer: await forwarder.call('publish', publisher.offer) });
    progress(`connecting ${sizes.viewers} viewers`);
    await connect(watchers, forwarder, sizes.watchers);
    const crowded = await connect(crowd, forwarder, sizes.viewers - sizes.watchers);
    sender.packetsPerFrame = FIRST_PACKETS;
    sender.start();
    process.kill(crowd.pid, 'SIGSTOP');
    const perFrame = await carriedPackets(forwarder, sender);
    sender.packetsPerFrame = Math.max(1, Math.round(perFrame * CALM_BUSY));
    progress(`the worker carries ${perFrame.toFixed(1)} packets of a frame`);
    await sleep(sizes.calmMs);
    await watchers.call('collect', null);
    await sleep(sizes.calmMs);
    const calm = await watchers.call('collect', null);

    sender.packetsPerFrame = FIRST_PACKETS;
    process.kill(crowd.pid, 'SIGCONT');
    await sleep(CONSENT_MS);
    process.kill(crowd.pid, 'SIGSTOP');
    await watchers.call('collect', null);

    progress(`offering ${TIMES} times as much`);
    const before = await figuresOf(forwarder);
    const offered = Math.round(perFrame * TIMES);
    sender.packetsPerFrame = offered;
    let mostDegree = 0;
    const until = performance.now() + sizes.overloadMs;
    while (performance.now() < until) {
      await sleep(500);
      mostDegree = Math.max(mostDegree, (await figuresOf(forwarder)).loadDegree);
    }
    const overload = await watchers.call('collect', null);
    const after = await figuresOf(forwarder);

    progress('offering less again');
    sender.packetsPerFrame = Math.max(1, Math.round(perFrame * CALM_BUSY));
    const recoveryMs = await recovery(watchers, sizes.watchers);
    // Without a reduction, the worker was not overloaded: the figures would show nothing.
    const mostDelay = mostDegree > 0 ? Math.max(overload.video.p99Ms, overload.sound.p99Ms) : Number.NaN;
    return {
      name: 'overload',
      ratio: mostDelay / MAX_P99_MS,
      against: `the 99th percentile of the delay at ${TIMES} times the load, and ${MAX_P99_MS} ms`,
      also: [
        { ratio: recoveryMs / MAX_RECOVERY_MS, against: `the time until all is sent again, and ${MAX_RECOVERY_MS} ms` },
      ],
      figures: {
        viewers: sizes.watchers + crowded,
        carriedPacketsPerFrame: perFrame,
        offeredPacketsPerFrame: offered,
        ...delayFigures('calm', calm),
        ...delayFigures('overload', overload),
        overloadSoundShare: overload.sound.packets / (sizes.watchers * (sizes.overloadMs / 20)),
        overloadFramesPerSecond: sum(overload.frames) / sizes.watchers / (sizes.overloadMs / 1_000),
        overloadBestFrames: overload.frames[BEST]!,
        overloadLowerFrames: sum(overload.frames) - overload.frames[BEST]!,
        shedFrames: after.shedFrames - before.shedFrames,
        shedSoundPackets: after.shedSoundPackets - before.shedSoundPackets,
        failedSends: after.failedSends - before.failedSends,
        mostLoadDegree: mostDegree,
        recoveryMs,
      },
    };
  } finally {
    sender.stop();
    process.kill(crowd.pid, 'SIGCONT');
    publisher.close();
    await Promise.all([forwarder.stop(), crowd.stop(), watchers.stop()]);
  }
}

async function connect(
  process: BenchProcess<Watchers>,
  forwarder: BenchProcess<OurForwarder>,
  wanted: number,
): Promise<number> {
  const { admitted } = await admitViewers(wanted, async (count) => {
    const { first, offers } = await process.call('open', count);
    const answers = await Promise.all(offers.map((offer) => forwarder.call('view', offer).catch(() => null)));
    return await process.call('accept', { first, answers, withinMs: CONNECTED_WITHIN_MS });
  });
  return admitted;
}

async function figuresOf(forwarder: BenchProcess<OurForwarder>) {
  const figures = await forwarder.call('figures', null as never);
  if (!figures) throw new Error('the worker reports no figures');
  return figures;
}

/** How many packets of a frame make the worker busy all the time. A packet costs less the more there are. */
async function carriedPackets(forwarder: BenchProcess<OurForwarder>, sender: SimulcastSender): Promise<number> {
  let carried = 0;
  for (let step = 0; step < CALIBRATION_STEPS; step++) {
    await sleep(CALIBRATION_MS);
    const { eventLoopBusy } = await figuresOf(forwarder);
    carried = sender.packetsPerFrame / eventLoopBusy;
    if (step < CALIBRATION_STEPS - 1) sender.packetsPerFrame = Math.max(1, Math.round(carried * CALIBRATED_BUSY));
  }
  return carried;
}

/** Waits until all watchers receive the best encoding at 30 frames a second. @returns the ms that it takes */
async function recovery(watchers: BenchProcess<Watchers>, count: number): Promise<number> {
  const EVERY_MS = 250;
  const start = performance.now();
  await watchers.call('collect', null);
  while (performance.now() - start < 6 * MAX_RECOVERY_MS) {
    await sleep(EVERY_MS);
    const { frames, video } = await watchers.call('collect', null);
    const isWhole = frames[BEST]! >= 0.8 * count * 30 * (EVERY_MS / 1_000) && frames[BEST] === sum(frames);
    if (isWhole && video.p99Ms < MAX_P99_MS) return performance.now() - start;
  }
  return performance.now() - start;
}

const delayFigures = (name: string, { sound, video, soundMissing }: Watched): Record<string, number> => ({
  [`${name}VideoDelayP50Ms`]: video.p50Ms,
  [`${name}VideoDelayP99Ms`]: video.p99Ms,
  [`${name}SoundDelayP50Ms`]: sound.p50Ms,
  [`${name}SoundDelayP99Ms`]: sound.p99Ms,
  [`${name}SoundDelayMostMs`]: sound.mostMs,
  [`${name}SoundMissing`]: soundMissing,
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
