import type { Target } from './bench-result.js';

/** How long a full run of a benchmark takes, and the target of its first ratio. */
export interface BenchPlan {
  /** On two idle cores. `--quick` takes at most a minute or two. */
  readonly minutes: number;
  readonly target: Target;
}

/** All benchmarks, by the name of their file. */
export const benchPlans: Readonly<Record<string, BenchPlan>> = {
  bind: { minutes: 1, target: { least: 1 } },
  bundle: { minutes: 1, target: { most: 0.35 } },
  'broadcaster-cost': { minutes: 5, target: { most: 2 } },
  cluster: { minutes: 13, target: { least: 0.9 } },
  'competing-tcp': { minutes: 2, target: { least: 0.35 } },
  'crowd-quality': { minutes: 4, target: { most: 1.05 } },
  dashboard: { minutes: 4, target: { least: 1 } },
  fanout: { minutes: 1, target: { most: 1.5 } },
  'first-frame': { minutes: 3, target: { most: 1 } },
  forwarding: { minutes: 13, target: { most: 1.25 } },
  idle: { minutes: 4, target: { most: 2.2 } },
  'join-storm': { minutes: 2, target: { most: 5 } },
  overload: { minutes: 2, target: { most: 1 } },
  playlists: { minutes: 1, target: { least: 0.3 } },
  recording: { minutes: 9, target: { most: 1 } },
  reports: { minutes: 7, target: { most: 1 } },
  rtmp: { minutes: 10, target: { most: 1 } },
  rules: { minutes: 2, target: { least: 50 } },
  soak: { minutes: 31, target: { most: 1.1 } },
  'start-latency': { minutes: 2, target: { most: 1.1 } },
  'start-up': { minutes: 3, target: { least: 0.1 } },
  statistics: { minutes: 3, target: { most: 0.5 } },
  stills: { minutes: 8, target: { most: 0.5 } },
  strangers: { minutes: 5, target: { most: 1 } },
  'token-search': { minutes: 2, target: { most: 0.2 } },
  'viewer-call': { minutes: 1, target: { least: 1 } },
  'waiting-guests': { minutes: 4, target: { most: 1 } },
  workers: { minutes: 2, target: { most: 1.5 } },
};

/** Compares a ratio of a full run with its target. */
export function verdict(target: Target, ratio: number): { readonly met: boolean; readonly text: string } {
  const [bound, met] = 'least' in target ? ['at least', ratio >= target.least] : ['at most', ratio <= target.most];
  const limit = 'least' in target ? target.least : target.most;
  if (Number.isNaN(ratio)) return { met: false, text: 'nothing was measured, so that there is no ratio to compare' };
  return { met, text: `${ratio.toFixed(2)} is ${met ? '' : 'not '}${bound} ${limit}` };
}
