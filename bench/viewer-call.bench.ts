import autocannon from 'autocannon';
import type { BenchResult } from './bench-result.js';
import { startHttpProcess, type HttpProcess } from './http/http-process.js';
import { progress } from './support/progress.js';

const ROUNDS = 5;
const ROUND_SECONDS = 3;
const CONNECTIONS = 32;

interface Measured {
  requestsPerSecond: number;
  cpuMicrosPerRequest: number;
  failed: number;
}

/** One round of load on one server. Calls that are refused or not answered in time are counted. */
async function measure({ url, headers, body, cpuMicros }: HttpProcess): Promise<Measured> {
  const before = await cpuMicros();
  const { requests, non2xx, errors } = await autocannon({
    url,
    headers,
    body,
    method: 'POST',
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
  });
  const cpu = (await cpuMicros()) - before;
  return { requestsPerSecond: requests.average, cpuMicrosPerRequest: cpu / requests.total, failed: non2xx + errors };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * What the call of every viewer costs, against what an Express 5 server costs at all. The rounds alternate, so that a
 * busy moment of the machine touches both; the ratio is of CPU time per request, which a busy machine changes least.
 */
export async function run(): Promise<BenchResult> {
  const [ours, bare] = await Promise.all([startHttpProcess('viewer-call-server.ts'), startHttpProcess('bare-echo.ts')]);
  const measured: { ours: Measured[]; bare: Measured[] } = { ours: [], bare: [] };
  try {
    await measure(ours);
    await measure(bare);
    for (let round = 0; round < ROUNDS; round += 1) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      measured.ours.push(await measure(ours));
      measured.bare.push(await measure(bare));
    }
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
  const figure = (whose: Measured[], key: keyof Measured) => median(whose.map((round) => round[key]));
  const oursMicros = figure(measured.ours, 'cpuMicrosPerRequest');
  const bareMicros = figure(measured.bare, 'cpuMicrosPerRequest');
  return {
    name: 'viewer-call',
    ratio: bareMicros / oursMicros,
    against: 'the speed of a bare Express 5 + express.json echo',
    figures: {
      cpuMicrosPerRequest: oursMicros,
      bareCpuMicrosPerRequest: bareMicros,
      requestsPerSecond: figure(measured.ours, 'requestsPerSecond'),
      bareRequestsPerSecond: figure(measured.bare, 'requestsPerSecond'),
      failedRequests: [...measured.ours, ...measured.bare].reduce((sum, { failed }) => sum + failed, 0),
    },
  };
}
