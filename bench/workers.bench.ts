import { build } from '../scripts/build.js';
import type { BenchResult } from './bench-result.js';
import { MediaRig, type Round } from './media/forwarding-rigs.js';
import { median } from './support/percentile.js';
import { progress } from './support/progress.js';

const VIEWERS = 100;
/** At 30 frames a second: some 1.8 Mbit/s. */
const PACKETS_PER_FRAME = 7;
const ROUNDS = 5;
const ROUND_MS = 4_000;
const WARM_UP_MS = 1_500;

const PLACES = [
  { name: 'one', what: 'one process' },
  { name: 'half', what: 'two processes, half of the viewers with each' },
  { name: 'apart', what: 'two processes, all viewers apart from their publisher' },
] as const;

/**
 * What it costs to have a stream's viewers in two processes, for each packet that arrives at one of them: the relay
 * between the two, and whatever else two processes take. Together they have twice the time of one, which is not
 * measured here. The rounds alternate, so that a busy moment of the machine touches all.
 */
export async function run(): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const rigs: MediaRig[] = [];
  try {
    for (const place of PLACES) rigs.push(await MediaRig.open(place, 'spread.ts', { args: [place.name] }));
    for (const rig of rigs) await rig.grow(VIEWERS);
    for (const rig of rigs) await rig.measure(WARM_UP_MS, PACKETS_PER_FRAME);
    const rounds = new Map<MediaRig, Round[]>(rigs.map((rig) => [rig, []]));
    for (let round = 0; round < ROUNDS; round++) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      for (const rig of rigs) rounds.get(rig)!.push(await rig.measure(ROUND_MS, PACKETS_PER_FRAME));
    }
    return resultOf(rounds);
  } finally {
    for (const rig of rigs) await rig.close();
  }
}

function resultOf(rounds: ReadonlyMap<MediaRig, readonly Round[]>): BenchResult {
  const middle = (rig: MediaRig, figure: keyof Round) => median(rounds.get(rig)!.map((round) => round[figure]));
  const [one, half, apart] = [...rounds.keys()] as [MediaRig, MediaRig, MediaRig];
  const costOf = (rig: MediaRig) => middle(rig, 'cpuMicrosPerPacket');
  const figures: Record<string, number> = {};
  for (const rig of rounds.keys()) {
    figures[`${rig.name}CpuMicrosPerPacket`] = costOf(rig);
    figures[`${rig.name}Delivered`] = middle(rig, 'delivered');
    figures[`${rig.name}DelayP50Ms`] = middle(rig, 'p50Ms');
    figures[`${rig.name}DelayP99Ms`] = middle(rig, 'p99Ms');
    figures[`${rig.name}Missing`] = rig.absent(VIEWERS).missing;
  }
  return {
    name: 'workers',
    ratio: costOf(half) / costOf(one),
    against: `the CPU time per packet of one process, ${VIEWERS} viewers, ${half.what}`,
    also: [{ ratio: costOf(apart) / costOf(one), against: `the same, ${apart.what}` }],
    figures: { ...figures, viewers: VIEWERS },
  };
}
