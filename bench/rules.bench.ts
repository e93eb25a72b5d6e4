import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decide, viewingRules } from '../server/rules/decide.js';
import { TokenDirectory } from '../server/tokens/token-directory.js';
import type { BenchResult } from './bench-result.js';
import { casbinPolicy } from './tokens/casbin-policy.js';
import { policyQuestion, policyToken, valueOf } from './tokens/policy-tokens.js';
import { progress } from './support/progress.js';

/** node-casbin holds each question against every line of policy, so it is measured at this size only. */
const FEW = 100;
const MANY = 10_000;
const MOST = 1_000_000;

const ROUNDS = 15;
const ROUND_MS = 200;
/** How many ask in turn, their tokens spread over all of them: the same number at each size, so that the size tells. */
const BEARERS = 100;
/** So many that neither their tokens nor what belongs to them stay in the processor's cache. */
const STRANGERS_TO_THE_CACHE = 50_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Question {
  readonly value: string;
  readonly asked: ReturnType<typeof policyQuestion>;
  readonly allowed: boolean;
}

type Decider = (question: Question) => boolean;

/** Every fifth is refused, by the last rule but two. */
function questions(tokens: number, bearers = BEARERS): Question[] {
  return Array.from({ length: bearers }, (_, turn) => {
    const index = (turn * 7_919) % tokens;
    const stranger = turn % 5 === 0;
    return { value: valueOf(index), asked: policyQuestion(index, stranger), allowed: !stranger };
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

/** As the door does it: finds the token by what was presented, and decides. */
function decider(directory: TokenDirectory): Decider {
  return ({ value, asked }) => decide(viewingRules, { ...asked, token: directory.findByValue(value) }).allowed;
}

/** µs of CPU for one decision, in one round. Every answer is checked, or nothing was measured. */
function round(decides: Decider, asked: readonly Question[]): number {
  const until = performance.now() + ROUND_MS;
  const began = process.cpuUsage();
  let count = 0;
  while (performance.now() < until) {
    for (let burst = 0; burst < 50; burst += 1) {
      const question = asked[count % asked.length]!;
      if (decides(question) !== question.allowed) throw new Error('a wrong decision');
      count += 1;
    }
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / count;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/**
 * What a decision costs with ever more tokens in memory, each of which has something for every rule, against
 * node-casbin with the same policy. The rounds alternate, so that a busy moment of the machine touches all of them.
 */
export async function run(): Promise<BenchResult> {
  const sizes = [FEW, MANY, MOST].map((size) => {
    const { directory, ...memory } = fill(size);
    return { memory, decides: decider(directory), asked: questions(size), micros: [] as number[] };
  });
  const enforce = await casbinPolicy(Array.from({ length: FEW }, (_, index) => policyToken(index)));
  const casbin = {
    decides: ({ value, asked }: Question) => enforce(value, asked),
    asked: questions(FEW),
    micros: [] as number[],
  };
  const all = sizes.at(-1)!;
  const cold = { ...all, asked: questions(MOST, STRANGERS_TO_THE_CACHE), micros: [] as number[] };
  const contestants = [...sizes, cold, casbin];
  for (const { decides, asked } of contestants) round(decides, asked);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    progress(`round ${turn + 1} of ${ROUNDS}`);
    for (const { decides, asked, micros } of contestants) micros.push(round(decides, asked));
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
