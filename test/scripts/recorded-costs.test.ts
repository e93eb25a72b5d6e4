import assert from 'node:assert/strict';
import { it } from 'node:test';
import { costOf, readCosts, secondsOf } from '../../scripts/test-run/costs.js';
import type { Task } from '../../scripts/test-run/schedule.js';
import { stages, type Stage } from '../../scripts/test-stages.js';
import { simulateRun } from '../support/simulated-run.js';

const CORES = 2;

/** How long stages take by the recorded costs, in seconds. */
function simulated(some: readonly Stage[]): number {
  const costs = readCosts();
  const tasks = some.flatMap((stage) =>
    stage
      .jobs(stage.files?.() ?? [], (file) => secondsOf(costs, file))
      .map((job): Task => ({ stage: stage.name, after: stage.after ?? [], cost: costOf(costs, job) })),
  );
  return Math.max(...simulateRun(tasks, CORES).map(({ ended }) => ended));
}

it('all tests take at most sixteen minutes on two cores, by what each has taken', () => {
  const seconds = simulated(stages);
  assert.ok(seconds <= 16 * 60, `${Math.round(seconds)} s`);
});
