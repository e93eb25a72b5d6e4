import { build } from '../scripts/build.js';
import type { BenchResult } from './bench-result.js';
import { MediaRig, type Round } from './media/forwarding-rigs.js';
import { median } from './support/percentile.js';
import { progress } from './support/progress.js';

const VIEWERS = 100;
/** About 1.8 Mbit/s at 30 frames a second. */
const PACKETS_PER_FRAME = 7;
const ROUNDS = 5;
const ROUND_MS = 4_000;
const WARM_UP_MS = 1_500;

const PLACEMENTS = [
  { name: 'one', what: 'one process' },
  { name: 'half', what: 'two processes, half of the viewers with each' },
  { name: 'apart', what: 'two processes, all viewers apart from their publisher' },
] as const;

/**
 * Measures the CPU time for each packet that arrives at a viewer when the viewers of a stream are in two processes. The
 * difference to one process is the relay and what else two processes need. That two processes can use two cores is not
 * measured. The rounds alternate, so that a busy moment of the machine affects all.
 */
export async function run(): Promise<BenchResult> {
  await build({ ifNeeded: true });
  const rigs: MediaRig[] = [];
  try {
    progress(`connecting ${VIEWERS} viewers to each of ${PLACEMENTS.length} forwarders`);
    for (const placement of PLACEMENTS) {
      rigs.push(await MediaRig.open(placement, 'spread.ts', { args: [placement.name] }));
    }
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
  const medianOf = (rig: MediaRig, figure: keyof Round) => median(rounds.get(rig)!.map((round) => round[figure]));
  const [one, half, apart] = [...rounds.keys()] as [MediaRig, MediaRig, MediaRig];
  const costOf = (rig: MediaRig) => medianOf(rig, 'cpuMicrosPerPacket');
  const figures: Record<string, number> = {};
  for (const rig of rounds.keys()) {
    figures[`${rig.name}CpuMicrosPerPacket`] = costOf(rig);
    figures[`${rig.name}Delivered`] = medianOf(rig, 'delivered');
    figures[`${rig.name}DelayP50Ms`] = medianOf(rig, 'p50Ms');
    figures[`${rig.name}DelayP99Ms`] = medianOf(rig, 'p99Ms');
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
