import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestFirst, nextTask, sharesOf, type Task } from '../../scripts/test-run/schedule.js';

interface NamedTask extends Task {
  readonly name: string;
}

type Shape = Omit<Task, 'cost'> & Task['cost'];

/** Keeps half a core busy for ten seconds. */
const aTask = (name: string, { seconds = 10, cpu, stage = 'server', after = [] }: Partial<Shape> = {}): NamedTask => ({
  name,
  stage,
  after,
  cost: { seconds, cpu: cpu ?? seconds / 2 },
});
const namesOf = (tasks: readonly NamedTask[]) => tasks.map(({ name }) => name);

/** The names of all tasks that start now, in their order. */
function started(tasks: readonly NamedTask[], cores: number, before: readonly NamedTask[] = []): string[] {
  const [waiting, running] = [longestFirst(tasks), [...before]];
  for (let task = nextTask(waiting, running, cores); task; task = nextTask(waiting, running, cores)) {
    waiting.splice(waiting.indexOf(task), 1);
    running.push(task);
  }
  return namesOf(running.slice(before.length));
}

describe('the order of tasks', () => {
  it('begins with the longest', () => {
    const tasks = [aTask('short', { seconds: 1 }), aTask('long', { seconds: 9 }), aTask('middle', { seconds: 5 })];
    assert.deepEqual(namesOf(longestFirst(tasks)), ['long', 'middle', 'short']);
  });

  it('counts the longest of the tasks that wait for a stage, over several stages', () => {
    const tasks = [
      aTask('alone', { seconds: 25, stage: 'unit' }),
      aTask('build', { seconds: 3, stage: 'build' }),
      aTask('frameworks', { seconds: 10, stage: 'frameworks', after: ['build'] }),
      aTask('apps', { seconds: 15, stage: 'apps', after: ['frameworks'] }),
      aTask('page', { seconds: 5, stage: 'pages', after: ['build'] }),
    ];
    assert.deepEqual(namesOf(longestFirst(tasks)), ['build', 'alone', 'frameworks', 'apps', 'page']);
  });
});

describe('the tasks that start', () => {
  it('are as many as keep the cores busy, and a quarter more', () => {
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => aTask(name));
    assert.deepEqual(started(tasks, 2), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(started(tasks, 1), ['a', 'b']);
  });

  it('are more if they wait than if they compute', () => {
    const many = Array.from({ length: 50 }, (_, index) => index);
    const waiting = many.map((index) => aTask(`waits ${index}`, { cpu: 3 }));
    const computing = many.map((index) => aTask(`computes ${index}`, { cpu: 10 }));
    assert.deepEqual([started(waiting, 2).length, started(computing, 2).length], [8, 2]);
  });

  it('are not endless if they do nothing but wait', () => {
    const idle = Array.from({ length: 50 }, (_, index) => aTask(`idle ${index}`, { cpu: 0 }));
    assert.equal(started(idle, 2).length, 12);
  });

  it('leave out one that does not fit, for one that does', () => {
    const running = [aTask('running', { cpu: 10 })];
    const tasks = [aTask('large', { seconds: 30, cpu: 60 }), aTask('small')];
    assert.deepEqual(started(tasks, 2, running), ['small']);
  });

  it('leave out one that fits, if it would keep a longer one waiting for much of its time', () => {
    const running = [aTask('running', { cpu: 10 })];
    const tasks = [
      aTask('large', { seconds: 30, cpu: 60 }),
      aTask('long', { seconds: 20 }),
      aTask('short', { seconds: 15 }),
    ];
    assert.deepEqual(started(tasks, 2, running), ['short']);
  });

  it('are one that needs more than there is, if nothing else runs', () => {
    assert.deepEqual(started([aTask('large', { cpu: 80 })], 2), ['large']);
    assert.deepEqual(started([aTask('unknown', { seconds: 0 })], 1), ['unknown']);
  });

  it('are none of a stage that waits for another, while that has a task that waits or runs', () => {
    const [build, page] = [aTask('build', { stage: 'build' }), aTask('page', { stage: 'pages', after: ['build'] })];
    assert.equal(nextTask([page], [build], 8), undefined);
    assert.equal(nextTask([page, build], [], 8), build);
    assert.equal(nextTask([page], [], 8), page);
  });
});

describe('shares of files', () => {
  const seconds: Record<string, number> = { a: 5, b: 4, c: 3, d: 3, e: 1 };
  const secondsOf = (file: string) => seconds[file]!;

  it('take about as long as each other, and have each file once', () => {
    assert.deepEqual(sharesOf(Object.keys(seconds), secondsOf, 2), [
      ['a', 'd'],
      ['b', 'c', 'e'],
    ]);
  });

  it('are no more than there are files', () => {
    assert.deepEqual(sharesOf(['e', 'a'], secondsOf, 4), [['a'], ['e']]);
  });
});
