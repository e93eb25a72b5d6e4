import autocannon from 'autocannon';
import { progress } from '../support/progress.js';
import { median } from '../support/percentile.js';
import { startHttpProcess, type HttpProcess } from './http-process.js';

const ROUNDS = 11;
const CONNECTIONS = 32;
/**
 * Requests, not seconds: on a busy machine few are answered in a second, and a server would be measured while its code is
 * still being compiled, which takes the longer the more code there is.
 */
const WARM_UP_REQUESTS = 30_000;
const ROUND_REQUESTS = 8_000;

interface Measured {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly failed: number;
}

/** Sends so many requests to one server. Counts requests that are refused or not answered in time. */
async function measure({ url, method, headers, body, cpuMicros }: HttpProcess, amount: number): Promise<Measured> {
  const before = await cpuMicros();
  const { requests, non2xx, errors } = await autocannon({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    connections: CONNECTIONS,
    amount,
  });
  const cpu = (await cpuMicros()) - before;
  return { requestsPerSecond: requests.average, cpuMicrosPerRequest: cpu / requests.total, failed: non2xx + errors };
}

export interface AgainstEcho {
  /** Of CPU time per request, which a busy machine changes least: the median of those of rounds side by side. */
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
    progress('warming up');
    await measure(ours, WARM_UP_REQUESTS);
    await measure(bare, WARM_UP_REQUESTS);
    for (let round = 0; round < ROUNDS; round += 1) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      measured.ours.push(await measure(ours, ROUND_REQUESTS));
      measured.bare.push(await measure(bare, ROUND_REQUESTS));
    }
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
  const figure = (rounds: Measured[], key: keyof Measured) => median(rounds.map((round) => round[key]));
  const oursMicros = figure(measured.ours, 'cpuMicrosPerRequest');
  const bareMicros = figure(measured.bare, 'cpuMicrosPerRequest');
  const ratios = measured.ours.map(
    ({ cpuMicrosPerRequest }, round) => measured.bare[round]!.cpuMicrosPerRequest / cpuMicrosPerRequest,
  );
  return {
    ratio: median(ratios),
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
