import autocannon from 'autocannon';
import { progress } from '../support/progress.js';
import { median } from '../support/percentile.js';
import { startHttpProcess, type HttpProcess } from './http-process.js';

const ROUNDS = 5;
const ROUND_SECONDS = 3;
const CONNECTIONS = 32;

interface Measured {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly failed: number;
}

/** Sends requests to one server for one round. Counts requests that are refused or not answered in time. */
async function measure({ url, method, headers, body, cpuMicros }: HttpProcess): Promise<Measured> {
  const before = await cpuMicros();
  const { requests, non2xx, errors } = await autocannon({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
  });
  const cpu = (await cpuMicros()) - before;
  return { requestsPerSecond: requests.average, cpuMicrosPerRequest: cpu / requests.total, failed: non2xx + errors };
}

export interface AgainstEcho {
  /** Of CPU time per request, because a busy machine changes it least. */
  readonly ratio: number;
  readonly against: string;
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Measures a server of this folder against the smallest useful Express 5 server. The rounds alternate, so that a busy
 * moment of the machine affects both.
 */
export async function againstEcho(file: string): Promise<AgainstEcho> {
  const [ours, bare] = await Promise.all([startHttpProcess(file), startHttpProcess('bare-echo.ts')]);
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
  const figure = (rounds: Measured[], key: keyof Measured) => median(rounds.map((round) => round[key]));
  const oursMicros = figure(measured.ours, 'cpuMicrosPerRequest');
  const bareMicros = figure(measured.bare, 'cpuMicrosPerRequest');
  return {
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
