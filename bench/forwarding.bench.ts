import type { BenchOptions, BenchResult, Comparison } from './bench-result.js';
import { openRigs, type Rig, type Round } from './media/forwarding-rigs.js';
import { median } from './support/percentile.js';
import { progress } from './support/progress.js';

/** The forwarders receive the stream this long before the first viewer connects, so that they know its one layer. */
const BEFORE_VIEWERS_MS = 3_000;

interface Sizes {
  /** The number of viewers, and the packets of a frame: so few that no receiver loses packets at 30 frames a second. */
  readonly steps: readonly { readonly viewers: number; readonly packetsPerFrame: number }[];
  readonly rounds: number;
  readonly roundMs: number;
  /** JavaScript reaches its full speed only after many thousand packets: with few viewers, after a minute. */
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
  roundMs: 2_000,
  firstWarmUpMs: 60_000,
  warmUpMs: 2_000,
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

/** The figures of one rig with one number of viewers: the median of its rounds, and its memory after them. */
interface Measured extends Round {
  /** The number of viewers of this step. */
  readonly viewers: number;
  /** The viewers that were refused at each attempt. The figures are those of the other viewers. */
  readonly missing: number;
  /** The refused attempts so far. */
  readonly refused: number;
  readonly residentBytes: number;
}

/**
 * Measures the CPU time of forwarding one publisher's video, for each packet that arrives at a viewer: with our engine,
 * medooze-media-server, werift, a plain `dgram` fan-out without encryption, and the transports of our engine alone,
 * which shows the cost of the WebRTC library. Each forwarder has processes of its own. All receive and send the same
 * packets. All but `dgram` encrypt for viewers that are real transports and report as browsers do: with transport
 * feedback where the forwarder asks for it, else with estimates. The rounds alternate, so that a busy moment of the
 * machine affects all. Viewers that a busy forwarder refuses try again, and are counted.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const { steps, rounds: roundCount, roundMs, firstWarmUpMs, warmUpMs }: Sizes = quick ? QUICK : FULL;
  const rigs = await openRigs({ install: !quick });
  try {
    const measured = new Map<Rig, Measured[]>(rigs.map((rig) => [rig, []]));
    progress(`measuring ${rigs.map(({ name }) => name).join(', ')}`);
    await warmUp(rigs, BEFORE_VIEWERS_MS, steps[0]!.packetsPerFrame);
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
        const medians = medianRound(rounds.get(rig)!);
        measured
          .get(rig)!
          .push({ viewers, ...rig.absent(viewers), ...medians, residentBytes: await rig.residentBytes() });
      }
    }
    return resultOf(steps, measured);
  } finally {
    for (const rig of rigs) await rig.close();
  }
}

/** Sends through all rigs at once. The figures are not used. */
async function warmUp(rigs: readonly Rig[], ms: number, packetsPerFrame: number): Promise<void> {
  await Promise.all(rigs.map((rig) => rig.measure(ms, packetsPerFrame)));
}

const medianRound = (rounds: readonly Round[]): Round => ({
  cpuMicrosPerPacket: median(rounds.map((round) => round.cpuMicrosPerPacket)),
  delivered: median(rounds.map((round) => round.delivered)),
  p50Ms: median(rounds.map((round) => round.p50Ms)),
  p99Ms: median(rounds.map((round) => round.p99Ms)),
});

function resultOf(sizes: Sizes['steps'], measured: ReadonlyMap<Rig, readonly Measured[]>): BenchResult {
  const [[, ours], ...others] = [...measured] as [[Rig, Measured[]], ...[Rig, Measured[]][]];
  const comparisons = others.flatMap(([{ what }, steps]): Comparison[] =>
    sizes.map(({ viewers }, index) => ({
      ratio: ours[index]!.cpuMicrosPerPacket / steps[index]!.cpuMicrosPerPacket,
      against: `the CPU time per packet of ${what}, ${viewers} viewers`,
    })),
  );
  // The main comparison: the second step, against the first of the other forwarders.
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
