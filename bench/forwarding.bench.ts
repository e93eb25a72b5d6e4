import type { BenchOptions, BenchResult, Comparison } from './bench-result.js';
import { openRigs, type Rig, type Round } from './media/forwarding-rigs.js';
import { LOOPBACK, openVethPath, type NetworkPath } from './media/network-path.js';
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
  rounds: 5,
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

/** The rigs of one network path, our engine first. */
interface MeasuredPath {
  readonly path: NetworkPath;
  readonly rigs: ReadonlyMap<Rig, readonly Measured[]>;
}

/**
 * Measures the CPU time of forwarding one publisher's video, for each packet that arrives at a viewer: with our engine,
 * medooze-media-server, werift, a plain `dgram` fan-out without encryption, and the transports of our engine alone,
 * which shows the cost of the WebRTC library. Each forwarder has processes of its own. All receive and send the same
 * packets. All but `dgram` encrypt with the cipher that Chromium agrees on with our engine, for viewers that are real
 * transports and report as browsers do: with transport feedback where the forwarder asks for it, else with estimates.
 * Our engine is also measured with AES-GCM. The rounds alternate, so that a busy moment of the machine affects all.
 * Viewers that a busy forwarder refuses try again, and are counted. Everything is measured over loopback, and where this
 * process may create a network namespace, into one.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const sizes = quick ? QUICK : FULL;
  const measured = [await measureOn(LOOPBACK, sizes, { install: !quick })];
  const veth = await openVethPath();
  if (veth) measured.push(await measureOn(veth, sizes, { install: false }).finally(() => veth.close()));
  return resultOf(sizes.steps, measured);
}

async function measureOn(
  path: NetworkPath,
  { steps, rounds: roundCount, roundMs, firstWarmUpMs, warmUpMs }: Sizes,
  options: { readonly install: boolean },
): Promise<MeasuredPath> {
  const rigs = await openRigs(path, options);
  try {
    const measured = new Map<Rig, Measured[]>(rigs.map((rig) => [rig, []]));
    progress(`${path.what}: ${rigs.map(({ name, cipher }) => `${name} (${cipher})`).join(', ')}`);
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
    return { path, rigs: measured };
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

function resultOf(sizes: Sizes['steps'], measured: readonly MeasuredPath[]): BenchResult {
  const comparisons = measured.flatMap((each) => comparisonsOf(sizes, each));
  // The main comparison: the second step over loopback, against the first of the other forwarders.
  const main = comparisons[1]!;
  const figures = Object.assign({}, ...measured.map(figuresOf)) as Record<string, number>;
  return { name: 'forwarding', ...main, also: comparisons.filter((comparison) => comparison !== main), figures };
}

function comparisonsOf(sizes: Sizes['steps'], { path, rigs }: MeasuredPath): readonly Comparison[] {
  const [[our, ours], ...others] = [...rigs] as [[Rig, Measured[]], ...[Rig, Measured[]][]];
  return others.flatMap(([{ what, cipher }, steps]): Comparison[] =>
    sizes.map(({ viewers }, index) => ({
      ratio: ours[index]!.cpuMicrosPerPacket / steps[index]!.cpuMicrosPerPacket,
      against: `the CPU time per packet of ${what}, ${viewers} viewers ${path.what}, ${ciphersOf(our.cipher, cipher)}`,
    })),
  );
}

const ciphersOf = (ours: string, theirs: string): string =>
  ours === theirs
    ? `both with ${ours}`
    : `ours with ${ours}, the other with ${theirs === 'none' ? 'no cipher' : theirs}`;

function figuresOf({ path, rigs }: MeasuredPath): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [{ name }, steps] of rigs) {
    const prefix = path === LOOPBACK ? name : `${name}Veth`;
    for (const { viewers, missing, refused, cpuMicrosPerPacket, delivered, p50Ms, p99Ms } of steps) {
      figures[`${prefix}${viewers}CpuMicrosPerPacket`] = cpuMicrosPerPacket;
      figures[`${prefix}${viewers}Delivered`] = delivered;
      figures[`${prefix}${viewers}DelayP50Ms`] = p50Ms;
      figures[`${prefix}${viewers}DelayP99Ms`] = p99Ms;
      figures[`${prefix}${viewers}Refused`] = refused;
      figures[`${prefix}${viewers}Missing`] = missing;
    }
    const [first, last] = [steps[0]!, steps.at(-1)!];
    figures[`${prefix}KilobytesPerViewer`] =
      (last.residentBytes - first.residentBytes) / (last.viewers - first.viewers) / 1024;
  }
  return figures;
}
