import type { BenchOptions, BenchResult } from './bench-result.js';
import type { Crowd } from './crowds/crowd.js';
import type { StreamgateFanOut } from './crowds/fan-outs/streamgate.js';
import { BenchProcess } from './support/bench-process.js';
import { processCost } from './support/process-cost.js';
import { progress } from './support/progress.js';

/** With one process for all clients, it would exceed the usual limit of open files. */
const CROWDS = 2;
const EVERY_MS = 10_000;
/** Of a core, as the cost that is allowed. */
const ALLOWED = 0.02;

/**
 * Measures what the sessions and reports of 10,000 viewers cost: the CPU time of the whole server while each viewer
 * reports every ten seconds, against the same server that records no sessions and gets no reports. Both hold as many
 * open websockets. The cost is compared with 2 % of a core.
 */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const viewers = quick ? 500 : 10_000;
  const lastsMs = quick ? EVERY_MS : 9 * EVERY_MS;
  const without = await measure(['SESSIONS_KEPT_DAYS=0'], { viewers, lastsMs, reports: false });
  const silent = await measure([], { viewers, lastsMs, reports: false });
  const reporting = await measure([], { viewers, lastsMs, reports: true });
  const cost = reporting.coreShare - without.coreShare;
  return {
    name: 'reports',
    ratio: cost / ALLOWED,
    against: '2 % of a core',
    figures: {
      viewers,
      openViewers: reporting.open,
      reports: reporting.reports,
      percentOfCore: cost * 100,
      percentOfCoreOfSessions: (silent.coreShare - without.coreShare) * 100,
      percentOfCoreWithout: without.coreShare * 100,
      cpuMicrosPerReport: ((reporting.coreShare - silent.coreShare) * lastsMs * 1_000) / Math.max(1, reporting.reports),
    },
  };
}

interface Measured {
  /** CPU time of the server by the time that passed. */
  readonly coreShare: number;
  readonly open: number;
  readonly reports: number;
}

/** @param variables of the server's environment, as `NAME=value` */
async function measure(
  variables: readonly string[],
  { viewers, lastsMs, reports }: { readonly viewers: number; readonly lastsMs: number; readonly reports: boolean },
): Promise<Measured> {
  const server = await BenchProcess.start<StreamgateFanOut>('crowds/fan-outs/streamgate.ts', { args: variables });
  const crowds = await Promise.all(Array.from({ length: CROWDS }, () => BenchProcess.start<Crowd>('crowds/crowd.ts')));
  try {
    progress(`connecting ${viewers} viewers`);
    const { url: origin, token } = await server.call('endpoint', null);
    for (const crowd of crowds) await crowd.call('openViewers', { origin, token, count: viewers / CROWDS });
    await server.call('prepare', null);
    await server.call('start', null);
    // The writes for the beginning of the sessions are not what is measured.
    await crowds[0]!.call('report', { everyMs: 0, lastsMs: EVERY_MS });
    progress(reports ? 'viewers report' : 'viewers are silent');
    const [before, startedAt] = [await processCost(server.pid), performance.now()];
    const sent = await Promise.all(
      crowds.map((crowd) => crowd.call('report', { everyMs: reports ? EVERY_MS : 0, lastsMs })),
    );
    const [after, endedAt] = [await processCost(server.pid), performance.now()];
    const open = await Promise.all(crowds.map((crowd) => crowd.call('openCount', 'viewers')));
    return {
      coreShare: (after.cpuMicros - before.cpuMicros) / ((endedAt - startedAt) * 1_000),
      open: open.reduce((sum, count) => sum + count, 0),
      reports: sent.reduce((sum, count) => sum + count, 0),
    };
  } finally {
    await Promise.all([server, ...crowds].map((each) => each.stop()));
  }
}
