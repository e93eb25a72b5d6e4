import type { BenchOptions, BenchResult, Comparison } from './bench-result.js';
import { openRigs, type Rig, type Round } from './media/forwarding-rigs.js';
import { median } from './support/percentile.js';
import { progress } from './support/progress.js';

/** Viewers come to a stream that is known: one picture in one layer. */
const BEFORE_THEM_MS = 3_000;

interface Sizes {
  /** How many watch, and how many packets each frame has: at 30 frames a second no receiver here loses any. */
  readonly steps: readonly { readonly viewers: number; readonly packetsPerFrame: number }[];
  readonly rounds: number;
  readonly roundMs: number;
  /** An engine in JavaScript is as fast as it will be only after many thousand packets: to few viewers, after a minute. */
  readonly firstWarmUpMs: number;
  readonly warmUpMs: number;
}

const FULL: Sizes = {
  steps: [
    { viewers: 10, packetsPerFrame: 7 },
    { viewers: 100, packetsPerFrame: 7 },
    { viewers: 400, packetsPerFrame: 2 },
  ],
  rounds: 3,
  roundMs: 2_500,
  firstWarmUpMs: 60_000,
  warmUpMs: 2_500,
};
const QUICK: Sizes = {
  steps: [
    { viewers: 10, packetsPerFrame: 7 },
    { viewers: 20, packetsPerFrame: 7 },
  ],
  rounds: 1,
  roundMs: 1_000,
  firstWarmUpMs: 1_000,
  warmUpMs: 500,
};

/** One rig with so many viewers: the median of its rounds, and its memory then. */
interface Measured extends Round {
  /** As many as were wanted. */
  readonly viewers: number;
  /** Of these, as many as were refused each time they asked: the figures are of the others. */
  readonly missing: number;
  /** How often a viewer was refused until then. */
  readonly refused: number;
  readonly residentBytes: number;
}

/**
 * What it costs to forward one publisher's video, in processes of the forwarder's own, for each packet that arrives at
 * a viewer: by our engine, by medooze-media-server, by werift, by Node's own `dgram` in the clear, and by our engine's
 * transports with nothing around them, which shows what of the cost is the library's. All receive and send the same
 * packets; all but `dgram` encrypt to viewers that are the same real transports and report as browsers do, as often as
 * the engine asks them to: on each packet ten times a second, or with an estimate three times. The rounds alternate, so
 * that a busy moment of the machine touches all. A viewer that a busy forwarder refuses asks again; it is counted.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const { steps, rounds: roundCount, roundMs, firstWarmUpMs, warmUpMs }: Sizes = quick ? QUICK : FULL;
  const rigs = await openRigs({ install: !quick });
  try {
    const measured = new Map<Rig, Measured[]>(rigs.map((rig) => [rig, []]));
    progress(`measuring ${rigs.map(({ name }) => name).join(', ')}`);
    await warmUp(rigs, BEFORE_THEM_MS, steps[0]!.packetsPerFrame);
    for (const { viewers, packetsPerFrame } of steps) {
      progress(`${viewers} viewers: connecting and warming up`);
      for (const rig of rigs) await rig.grow(viewers);
      const rounds = new Map<Rig, Round[]>(rigs.map((rig) => [rig, []]));
      if (viewers === steps[0]!.viewers) await warmUp(rigs, firstWarmUpMs, packetsPerFrame);
      else for (const rig of rigs) await rig.measure(warmUpMs, packetsPerFrame);
      for (let round = 0; round < roundCount; round++) {
        progress(`${viewers} viewers: round ${round + 1} of ${roundCount}`);
        for (const rig of rigs) rounds.get(rig)!.push(await rig.measure(roundMs, packetsPerFrame));
      }
      for (const rig of rigs) {
        const middle = middleOf(rounds.get(rig)!);
        measured
          .get(rig)!
          .push({ viewers, ...rig.absent(viewers), ...middle, residentBytes: await rig.residentBytes() });
      }
    }
    return resultOf(steps, measured);
  } finally {
    for (const rig of rigs) await rig.close();
  }
}

/** Sends through all rigs at once: nothing is measured. */
async function warmUp(rigs: readonly Rig[], ms: number, packetsPerFrame: number): Promise<void> {
  await Promise.all(rigs.map((rig) => rig.measure(ms, packetsPerFrame)));
}

const middleOf = (rounds: readonly Round[]): Round => ({
  cpuMicrosPerPacket: median(rounds.map((round) => round.cpuMicrosPerPacket)),
  delivered: median(rounds.map((round) => round.delivered)),
  p50Ms: median(rounds.map((round) => round.p50Ms)),
  p99Ms: median(rounds.map((round) => round.p99Ms)),
});

function resultOf(sizes: Sizes['steps'], measured: ReadonlyMap<Rig, readonly Measured[]>): BenchResult {
  const [[, ours], ...others] = [...measured] as [[Rig, Measured[]], ...[Rig, Measured[]][]];
  const comparisons = others.flatMap(([{ what }, theirs]): Comparison[] =>
    sizes.map(({ viewers }, index) => ({
      ratio: ours[index]!.cpuMicrosPerPacket / theirs[index]!.cpuMicrosPerPacket,
      against: `the CPU time per packet of ${what}, ${viewers} viewers`,
    })),
  );
  // The result is that of the middle step, against the first of the others.
  const main = comparisons[1]!;
  const figures: Record<string, number> = {};
  for (const [{ name }, steps] of measured) {
    for (const { viewers, missing, refused, cpuMicrosPerPacket, delivered, p50Ms, p99Ms } of steps) {
      figures[`${name}${viewers}CpuMicrosPerPacket`] = cpuMicrosPerPacket;
      figures[`${name}${viewers}Delivered`] = delivered;
      figures[`${name}${viewers}DelayP50Ms`] = p50Ms;
      figures[`${name}${viewers}DelayP99Ms`] = p99Ms;
      figures[`${name}${viewers}Refused`] = refused;
      figures[`${name}${viewers}Missing`] = missing;
    }
    const [first, last] = [steps[0]!, steps.at(-1)!];
    figures[`${name}KilobytesPerViewer`] =
      (last.residentBytes - first.residentBytes) / (last.viewers - first.viewers) / 1024;
  }
  return { name: 'forwarding', ...main, also: comparisons.filter((comparison) => comparison !== main), figures };
}
