import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decide, viewingRules } from '../server/rules/decide.js';
import { TokenDirectory } from '../server/tokens/token-directory.js';
import type { BenchResult } from './bench-result.js';
import { casbinPolicy } from './tokens/casbin-policy.js';
import { policyRequest, policyToken, valueOf } from './tokens/policy-tokens.js';
import { progress } from './support/progress.js';

/** node-casbin compares each request with every line of its policy, so it is measured with this number only. */
const FEW = 100;
const MANY = 10_000;
const MOST = 1_000_000;

const ROUNDS = 15;
const ROUND_MS = 200;
/** The tokens that are used in turn, spread over all tokens. Their number is the same with few tokens and with many. */
const BEARERS = 100;
/** So many tokens in turn that they do not stay in the processor's cache. */
const BEARERS_OUT_OF_CACHE = 50_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface BenchRequest {
  readonly value: string;
  readonly access: ReturnType<typeof policyRequest>;
  readonly allowed: boolean;
}

type Decider = (request: BenchRequest) => boolean;

/** Requests with these tokens in turn. Every fifth is refused, by the last rule but two. */
function requestsOf(tokens: number, bearers = BEARERS): BenchRequest[] {
  return Array.from({ length: bearers }, (_, turn) => {
    const index = (turn * 7_919) % tokens;
    const refused = turn % 5 === 0;
    return { value: valueOf(index), access: policyRequest(index, refused), allowed: !refused };
  });
}

function fill(size: number): { directory: TokenDirectory; heapBytes: number; residentBytes: number } {
  collectGarbage();
  const before = process.memoryUsage();
  const directory = new TokenDirectory();
  for (let index = 0; index < size; index += 1) directory.put(policyToken(index));
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    directory,
    heapBytes: heapUsed + external - before.heapUsed - before.external,
    residentBytes: rss - before.rss,
  };
}

/** Decides as an admission does: finds the token by its value, and asks the rules. */
function decider(directory: TokenDirectory): Decider {
  return ({ value, access }) => decide(viewingRules, { ...access, token: directory.findByValue(value) }).allowed;
}

/** The CPU time of one decision in µs, measured for one round. Every decision is checked. */
function round(decides: Decider, requests: readonly BenchRequest[]): number {
  const until = performance.now() + ROUND_MS;
  const began = process.cpuUsage();
  let count = 0;
  while (performance.now() < until) {
    for (let burst = 0; burst < 50; burst += 1) {
      const request = requests[count % requests.length]!;
      if (decides(request) !== request.allowed) throw new Error('a wrong decision');
      count += 1;
    }
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / count;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * Measures the CPU time of a decision with a hundred, ten thousand and a million tokens in memory, against node-casbin
 * with the same policy. Each token has a restriction for every rule. The rounds alternate, so that a busy moment of the
 * machine affects all.
 */
export async function run(): Promise<BenchResult> {
  const sizes = [FEW, MANY, MOST].map((size) => {
    const { directory, ...memory } = fill(size);
    return { memory, decides: decider(directory), requests: requestsOf(size), micros: [] as number[] };
  });
  const enforce = await casbinPolicy(Array.from({ length: FEW }, (_, index) => policyToken(index)));
  const casbin = {
    decides: ({ value, access }: BenchRequest) => enforce(value, access),
    requests: requestsOf(FEW),
    micros: [] as number[],
  };
  const all = sizes.at(-1)!;
  const cold = { ...all, requests: requestsOf(MOST, BEARERS_OUT_OF_CACHE), micros: [] as number[] };
  const contestants = [...sizes, cold, casbin];
  for (const { decides, requests } of contestants) round(decides, requests);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    progress(`round ${turn + 1} of ${ROUNDS}`);
    for (const { decides, requests, micros } of contestants) micros.push(round(decides, requests));
  }
  const [few, many, most] = sizes.map(({ micros }) => median(micros)) as [number, number, number];
  const casbinMicros = median(casbin.micros);
  return {
    name: 'rules',
    ratio: casbinMicros / few,
    against: `the speed of node-casbin with the same ${FEW} tokens`,
    figures: {
      microsPerDecision1e2: few,
      microsPerDecision1e4: many,
      microsPerDecision1e6: most,
      costAt1e6Over1e2: most / few,
      decisionsPerSecond1e6: 1e6 / most,
      microsPerDecision1e6OutOfCache: median(cold.micros),
      heapBytesPerToken: all.memory.heapBytes / MOST,
      residentBytesPerToken: all.memory.residentBytes / MOST,
      casbinMicrosPerDecision1e2: casbinMicros,
    },
  };
}
