import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as collected from '../../../scripts/mutation/collected-tests.ts';

describe('tests that are collected for a mutation', () => {
  /** What a file with two suites does, in order. */
  const load = async () => {
    const done: string[] = [];
    let broken: string | undefined;
    const step = (name: string) => () => {
      done.push(name);
      if (name === broken) throw new Error(`${name} is broken`);
    };
    const file = await collected.collect('file', async () => {
      collected.beforeEach(step('before each of the file'));
      collected.describe('outer', () => {
        collected.beforeEach(step('before each'));
        collected.afterEach(step('after each'));
        collected.describe('inner', { timeout: 1_000 }, () => {
          collected.afterEach(step('after each of inner'));
          collected.it('is a test', (context: { after: (later: () => void) => void }) => {
            context.after(step('after the test'));
            step('test')();
          });
          collected.it('is a test', step('again'));
          collected.it('is not run here', { skip: 'it needs another system' }, step('skipped'));
        });
      });
    });
    const [outer] = file.children;
    assert.ok(outer instanceof collected.Suite);
    const [inner] = outer.children;
    assert.ok(inner instanceof collected.Suite);
    const tests = inner.children.flatMap((child) => (child instanceof collected.Suite ? [] : child));
    return { done, tests, breakAt: (name: string) => (broken = name) };
  };

  it('run with the hooks of the suites around them, as often as wanted', async () => {
    const { done, tests } = await load();
    await collected.runTest(tests[0]!);
    const once = [
      'before each of the file',
      'before each',
      'test',
      'after the test',
      'after each of inner',
      'after each',
    ];
    assert.deepEqual(done, once);
    await collected.runTest(tests[0]!);
    assert.deepEqual(done, [...once, ...once]);
  });

  it('fail if a step fails, and clean up', async () => {
    for (const name of ['before each', 'test', 'after each of inner']) {
      const { done, tests, breakAt } = await load();
      breakAt(name);
      await assert.rejects(collected.runTest(tests[0]!), { message: `${name} is broken` });
      assert.equal(done.at(-1), 'after each');
    }
  });

  it('have different names, and are not those that this system skips', async () => {
    const { tests } = await load();
    assert.equal(tests.length, 2);
    const [first, second] = tests.map(({ id }) => id);
    assert.equal(second, `${first} (again)`);
  });
});
