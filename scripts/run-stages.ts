import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { root } from './run-command.ts';
import type { Outcome } from './test-runners.ts';
import type { Stage } from './test-stages.ts';

export interface StageResult extends Outcome {
  readonly name: string;
  readonly seconds: number;
}

/** More stages that compute at once would be slower. */
const UNTIMED_AT_ONCE = 2;

/** Runs one stage in this process. A stage that throws counts as one failure. */
export async function runStage({ name, run }: Stage): Promise<StageResult> {
  const started = performance.now();
  const outcome = await run().catch((error: unknown) => {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1 };
  });
  return { name, ...outcome, seconds: secondsSince(started) };
}

/**
 * Runs stages beside each other, each in a process of its own: one timed stage at a time, and others at a lower
 * priority. Prints the output of a stage when it ends.
 * @returns the results in the order of `stages`
 */
export async function runStages(stages: readonly Stage[]): Promise<StageResult[]> {
  const running = new Map<Stage, Promise<StageResult>>();
  const results = new Map<Stage, StageResult>();

  const isReady = (stage: Stage): boolean => {
    if (running.has(stage) || results.has(stage)) return false;
    const first = stages.filter(({ name }) => stage.after?.includes(name));
    if (!first.every((one) => results.has(one))) return false;
    const beside = [...running.keys()].filter((one) => Boolean(one.isTimed) === Boolean(stage.isTimed));
    return beside.length < (stage.isTimed ? 1 : UNTIMED_AT_ONCE);
  };

  while (results.size < stages.length) {
    for (let next = stages.find(isReady); next; next = stages.find(isReady)) {
      const failed = stages.find((stage) => next!.after?.includes(stage.name) && results.get(stage)!.failed > 0);
      process.stdout.write(`   ${next.name} ${failed ? `is left out, because ${failed.name} failed` : 'begins'}\n`);
      running.set(next, failed ? Promise.resolve(leftOut(next)) : runAlone(next));
    }
    const [stage, result] = await Promise.race(
      [...running].map(async ([stage, ended]) => [stage, await ended] as const),
    );
    running.delete(stage);
    results.set(stage, result);
  }
  return stages.map((stage) => results.get(stage)!);
}

/** Runs a stage in a process of its own, which `test.ts` starts as for `npm test -- NAME`. */
async function runAlone({ name, isTimed }: Stage): Promise<StageResult> {
  const started = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL('test.ts', import.meta.url)), name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  if (!isTimed && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let outcome: Outcome = { passed: 0, failed: 1 };
  child.on('message', (message) => (outcome = message as Outcome));
  await once(child, 'close');
  process.stdout.write(output);
  return { name, passed: outcome.passed, failed: outcome.failed, seconds: secondsSince(started) };
}

const leftOut = ({ name }: Stage): StageResult => ({ name, passed: 0, failed: 1, seconds: 0 });
const secondsSince = (started: number): number => (performance.now() - started) / 1_000;
