import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MediaFlow, type MediaFlowOptions, type MediaSample } from '../../../../support/bandwidth/media-flow.js';
import {
  runSimulation,
  type Simulated,
  type SimulationOptions,
} from '../../../../support/bandwidth/network-simulation.js';
import { TcpFlow } from '../../../../support/bandwidth/tcp-flow.js';

/** 50 ms one way, up to 30 ms of jitter, and a queue of 300 ms. */
const PATH = { delay: 50, jitter: 30, buffer: 300 };
const FEW_KILOBITS = 300_000;
/** A viewer whose best picture has 2.5 Mbit/s, and who begins with little. */
const VIEWER: MediaFlowOptions = { start: FEW_KILOBITS, wanted: 2_500_000 };
const SEEDS = [1, 2, 3, 4];

const between = (samples: readonly MediaSample[], from: number, to: number) =>
  samples.filter(({ at }) => at >= from * 1_000 && at < to * 1_000);
const viewers = (count: number, options: MediaFlowOptions = VIEWER) =>
  Array.from({ length: count }, () => new MediaFlow(options));

/** What arrived from one second to another, bit/s. */
function arrived({ samples }: MediaFlow, from: number, to: number): number {
  const some = between(samples, from, to);
  return some.reduce((sum, sample) => sum + sample.arrived, 0) / some.length;
}

/** The part of the samples in which packets queued for longer than this, in ms. */
function queuedPart({ samples }: MediaFlow, ms: number, from: number, to: number): number {
  const some = between(samples, from, to);
  return some.filter(({ journey }) => journey > PATH.delay + PATH.jitter + ms).length / some.length;
}

/** Jain's index: 1 if all shares are equal, 1/n if one flow has everything. */
function fairness(flows: readonly MediaFlow[], from: number, to: number): number {
  const shares = flows.map((flow) => arrived(flow, from, to));
  const sum = shares.reduce((total, share) => total + share, 0);
  return sum ** 2 / (shares.length * shares.reduce((total, share) => total + share ** 2, 0));
}

const together = (flows: readonly MediaFlow[], from: number, to: number) =>
  flows.reduce((sum, flow) => sum + arrived(flow, from, to), 0);

/** Runs the same case with several random sequences. `build` returns new flows each time. */
function forEachSeed<Flows>(
  build: () => { readonly flows: Flows; readonly simulated: readonly Simulated[] },
  options: SimulationOptions,
  check: (flows: Flows, seed: number) => void,
): void {
  for (const seed of SEEDS) {
    const { flows, simulated } = build();
    runSimulation(simulated, { ...options, path: { ...PATH, ...options.path }, seed });
    check(flows, seed);
  }
}

const from = (start: number, flow: MediaFlow | TcpFlow) => ({ flow, from: start });
function assertWithin(value: number, least: number, most: number, what: string): void {
  assert.ok(value >= least && value <= most, `${what}: ${value} is not between ${least} and ${most}`);
}

/**
 * After the cases of RFC 8867 section 5, as far as they apply to one sender with viewers. Capacities and times are our own,
 * and the limits are what this estimator reaches with some margin: they show when it becomes worse.
 */
describe('viewers behind a bottleneck', () => {
  it('5.1: one uses at least 80 % of a capacity that changes, and queues for little', () => {
    const build = () => {
      const flow = new MediaFlow(VIEWER);
      return { flows: flow, simulated: [{ flow }] };
    };
    const changes = { 40: { capacity: 2_500_000 }, 60: { capacity: 600_000 }, 80: { capacity: 1_000_000 } };
    forEachSeed(build, { seconds: 100, path: { capacity: 1_000_000 }, changes }, (flow, seed) => {
      const periods = [
        [5, 40, 1_000_000],
        [45, 60, 2_500_000],
        [65, 80, 600_000],
        [85, 100, 1_000_000],
      ] as const;
      for (const [begin, end, capacity] of periods) {
        assertWithin(arrived(flow, begin, end) / capacity, 0.8, 1.02, `seed ${seed}, from ${begin} s`);
        assertWithin(queuedPart(flow, 200, begin, end), 0, 0.1, `queue, seed ${seed}, from ${begin} s`);
      }
    });
  });

  it('5.2: two share a capacity that changes', () => {
    const build = () => {
      const flows = viewers(2);
      return { flows, simulated: flows.map((flow) => ({ flow })) };
    };
    const changes = {
      25: { capacity: 2_000_000 },
      50: { capacity: 3_500_000 },
      75: { capacity: 1_000_000 },
      100: { capacity: 2_000_000 },
    };
    forEachSeed(build, { seconds: 125, path: { capacity: 4_000_000 }, changes }, (flows, seed) => {
      const periods = [
        [5, 25, 4e6],
        [30, 50, 2e6],
        [55, 75, 3.5e6],
        [80, 100, 1e6],
        [105, 125, 2e6],
      ] as const;
      for (const [begin, end, capacity] of periods) {
        assertWithin(together(flows, begin, end) / capacity, 0.7, 1.05, `seed ${seed}, from ${begin} s`);
        assertWithin(fairness(flows, begin, end), 0.6, 1, `fairness, seed ${seed}, from ${begin} s`);
      }
    });
  });

  it('5.3: feedback that is lost or late on a congested link back costs little', () => {
    const build = () => {
      const flow = new MediaFlow({ ...VIEWER, feedback: { loss: 0.1, jitter: 300 } });
      return { flows: flow, simulated: [{ flow }] };
    };
    forEachSeed(build, { seconds: 100, path: { capacity: 1_500_000 } }, (flow, seed) => {
      assertWithin(arrived(flow, 10, 100) / 1_500_000, 0.7, 1.02, `seed ${seed}`);
      assertWithin(queuedPart(flow, 200, 10, 100), 0, 0.1, `queue, seed ${seed}`);
    });
  });

  it('5.4: those who come later have their share within 40 s', () => {
    const build = () => {
      const flows = viewers(3);
      return { flows, simulated: flows.map((flow, index) => from(20 * index, flow)) };
    };
    forEachSeed(build, { seconds: 120, path: { capacity: 3_500_000 } }, (flows, seed) => {
      assertWithin(together(flows, 50, 120) / 3_500_000, 0.85, 1.05, `seed ${seed}`);
      assertWithin(fairness(flows, 80, 120), 0.8, 1, `fairness, seed ${seed}`);
    });
  });

  it('5.5: long round trips are no great disadvantage, and the queue is not kept full', () => {
    const build = () => {
      const flows = [0, 15, 40, 90, 140].map((delay) => new MediaFlow({ ...VIEWER, delay }));
      return { flows, simulated: flows.map((flow, index) => from(10 * index, flow)) };
    };
    forEachSeed(build, { seconds: 300, path: { capacity: 4_000_000, delay: 10 } }, (flows, seed) => {
      assertWithin(together(flows, 60, 300) / 4_000_000, 0.85, 1.02, `seed ${seed}`);
      assertWithin(fairness(flows, 60, 300), 0.7, 1, `fairness, seed ${seed}`);
      assertWithin(queuedPart(flows[0]!, 150, 60, 300), 0, 0.3, `queue, seed ${seed}`);
    });
  });

  it('5.6: one beside a long TCP flow is not starved, and has the capacity back within 10 s', () => {
    const build = () => {
      const flow = new MediaFlow(VIEWER);
      const tcp = new TcpFlow();
      return { flows: { flow, tcp }, simulated: [{ flow }, { flow: tcp, from: 20, until: 100 }] };
    };
    forEachSeed(build, { seconds: 130, path: { capacity: 2_000_000 } }, ({ flow, tcp }, seed) => {
      assertWithin(arrived(flow, 30, 100), 350_000, 1_300_000, `seed ${seed}`);
      assertWithin((tcp.arrivedBytes * 8) / 80, 600_000, 1_600_000, `TCP, seed ${seed}`);
      assertWithin(arrived(flow, 110, 130) / 2_000_000, 0.8, 1.02, `after TCP, seed ${seed}`);
    });
  });

  it('5.7: short TCP flows take a part of the capacity only', () => {
    const build = () => {
      const flow = new MediaFlow(VIEWER);
      const downloads = Array.from({ length: 24 }, (_, index) => from(5 * index, new TcpFlow(300_000)));
      return { flows: flow, simulated: [{ flow }, ...downloads] };
    };
    forEachSeed(build, { seconds: 120, path: { capacity: 2_000_000 } }, (flow, seed) => {
      assertWithin(arrived(flow, 10, 120) / 2_000_000, 0.35, 0.8, `seed ${seed}`);
    });
  });

  it('5.8: one that pauses for 20 s leaves the capacity to the others, and has a share again within 10 s', () => {
    const build = () => {
      const isPaused = (now: number) => now >= 40_000 && now < 60_000;
      const application = (estimate: number, now: number) => (isPaused(now) ? 0 : Math.min(estimate, 2_500_000));
      const pausing = new MediaFlow({ ...VIEWER, application });
      const flows = [...viewers(2), pausing];
      return { flows, simulated: flows.map((flow) => ({ flow })) };
    };
    forEachSeed(build, { seconds: 120, path: { capacity: 3_500_000 } }, (flows, seed) => {
      assertWithin(together(flows.slice(0, 2), 45, 60) / 3_500_000, 0.85, 1.05, `others, seed ${seed}`);
      assertWithin(arrived(flows[2]!, 70, 90), 400_000, 2_000_000, `paused, seed ${seed}`);
      assertWithin(together(flows, 70, 120) / 3_500_000, 0.85, 1.05, `seed ${seed}`);
    });
  });
});

it('a simulated TCP flow fills the path when it is alone', () => {
  const tcp = new TcpFlow();
  const queue = runSimulation([{ flow: tcp }], { seconds: 60, path: { ...PATH, capacity: 2_000_000 } });
  assertWithin((tcp.arrivedBytes * 8) / 60 / 2_000_000, 0.85, 1.01, 'part of the capacity');
  assertWithin(Math.max(...queue.map((sample) => sample.queue)), 250, 310, 'longest queue');
});
