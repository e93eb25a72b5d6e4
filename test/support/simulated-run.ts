import { longestFirst, nextTask, type Task } from '../../scripts/test-run/schedule.js';

/** When a task began and ended, in seconds. */
export interface Simulated<T extends Task> {
  readonly task: T;
  readonly began: number;
  readonly ended: number;
}

/** Runs tasks by the schedule, without doing anything: together they are slower if they need more cores than there are. */
export function simulateRun<T extends Task>(tasks: readonly T[], cores: number): Simulated<T>[] {
  const waiting = longestFirst(tasks);
  const running = new Map<T, { readonly began: number; left: number }>();
  const results: Simulated<T>[] = [];
  let now = 0;
  while (waiting.length + running.size > 0) {
    for (let task = next(); task; task = next()) {
      waiting.splice(waiting.indexOf(task), 1);
      running.set(task, { began: now, left: Math.max(0.01, task.cost.seconds) });
    }
    const load = [...running.keys()].reduce((total, { cost }) => total + cost.cpu / Math.max(0.01, cost.seconds), 0);
    const speed = Math.min(1, cores / load);
    const [first, { left }] = [...running].reduce((a, b) => (b[1].left < a[1].left ? b : a));
    now += left / speed;
    for (const one of running.values()) one.left -= left;
    results.push({ task: first, began: running.get(first)!.began, ended: now });
    running.delete(first);
  }
  return results;

  function next(): T | undefined {
    return nextTask(waiting, [...running.keys()], cores);
  }
}
