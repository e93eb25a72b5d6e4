import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { root } from './run-command.ts';
import type { Outcome } from './test-runners.ts';
import type { Stage } from './test-stages.ts';

export interface StageResult extends Outcome {
  readonly name: string;
  readonly seconds: number;
  /** The output of a stage in a process of its own. A stage in this process has printed it already. */
  readonly output?: string;
  /** The files whose tests passed only when they were run again, alone. */
  readonly passedAlone?: readonly string[];
}

/** More stages at once would be slower, because two keep two cores busy. */
const STAGES_AT_ONCE = 2;
/** All tests take half an hour on two cores. What runs after this time is ended, and has failed. */
export const HANGING_MIN = 80;
/** How long the output of an ended stage is waited for: a process that it has left behind can keep the pipe open. */
const LAST_OUTPUT_MS = 5_000;

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
 * Runs stages beside each other, each in a process of its own. Prints the output of a stage when it ends.
 * @returns the results in the order of `stages`
 */
export async function runStages(stages: readonly Stage[]): Promise<StageResult[]> {
  const started = performance.now();
  const say = (what: string): void => {
    process.stdout.write(`   ${(secondsSince(started) / 60).toFixed(1).padStart(4)} min: ${what}\n`);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const running = new Map<Stage, Promise<StageResult>>();
  const results = new Map<Stage, StageResult>();
  const neededBy = (stage: Stage): Stage[] => stages.filter(({ name }) => stage.after?.includes(name));

  /** The next stage, if it can start now. */
  const next = (): Stage | undefined => {
    const waiting = stages.filter((stage) => !running.has(stage) && !results.has(stage));
    const first = waiting.find((stage) => neededBy(stage).every((needed) => results.has(needed)));
    if (!first) return undefined;
    const most = first.runsAlone || [...running.keys()].some(({ runsAlone }) => runsAlone) ? 1 : STAGES_AT_ONCE;
    return running.size < most ? first : undefined;
  };

  while (results.size < stages.length) {
    for (let stage = next(); stage; stage = next()) {
      const failed = neededBy(stage).find((needed) => results.get(needed)!.failed > 0);
      say(failed ? `${stage.name} is left out, because ${failed.name} failed` : `${stage.name} begins`);
      const withinMin = HANGING_MIN - secondsSince(started) / 60;
      running.set(stage, failed ? Promise.resolve(leftOut(stage)) : runInProcess(stage, withinMin));
    }
    const [stage, result] = await Promise.race(
      [...running].map(async ([stage, ended]) => [stage, await ended] as const),
    );
    say(`${stage.name} ends`);
    running.delete(stage);
    results.set(stage, result);
  }
  return stages.map((stage) => results.get(stage)!);
}

/** Runs a stage in a process of its own, which `test.ts` starts as for `npm test -- NAME`. */
async function runInProcess({ name }: Stage, withinMin: number): Promise<StageResult> {
  const started = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL('test.ts', import.meta.url)), name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own, so that what the stage has started can be ended with it.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let outcome: Outcome = { passed: 0, failed: 1 };
  child.on('message', (message) => (outcome = message as Outcome));
  const endGroup = (): boolean => process.kill(-child.pid!, 'SIGKILL');
  const hanging = setTimeout(() => {
    output += `\n${name} was ended, because not all stages had ended after ${HANGING_MIN} minutes.\n`;
    endGroup();
  }, withinMin * 60_000);
  process.once('exit', endGroup);
  const closed = once(child, 'close');
  await once(child, 'exit');
  clearTimeout(hanging);
  process.removeListener('exit', endGroup);
  const cut = setTimeout(() => {
    child.stdout!.destroy();
    child.stderr!.destroy();
  }, LAST_OUTPUT_MS);
  await closed;
  clearTimeout(cut);
  process.stdout.write(output);
  return { ...outcome, name, seconds: secondsSince(started), output };
}

const leftOut = ({ name }: Stage): StageResult => ({ name, passed: 0, failed: 1, seconds: 0 });
const secondsSince = (started: number): number => (performance.now() - started) / 1_000;
