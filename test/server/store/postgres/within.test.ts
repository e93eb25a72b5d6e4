import assert from 'node:assert/strict';
import { describe, it, mock, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { within } from '../../../../server/store/postgres/within.js';

/** The clock stands still unless the test has it pass. */
function clock(t: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  return (ms: number) => mock.timers.tick(ms);
}

const outcomeOf = (asked: Promise<string>): { now: string | undefined } => {
  const outcome: { now: string | undefined } = { now: undefined };
  asked.then(
    (answer) => (outcome.now = answer),
    (error: unknown) => (outcome.now = String(error)),
  );
  return outcome;
};

describe('an answer that is waited for', () => {
  it('is late after the limit', async (t) => {
    const pass = clock(t);
    const outcome = outcomeOf(within(1_000, new Promise(() => {})));
    for (let step = 0; step < 9; step += 1) pass(100);
    await turn();
    assert.equal(outcome.now, undefined);
    pass(100);
    await turn();
    assert.equal(outcome.now, 'Error: PostgreSQL does not answer');
  });

  it('is not late when it came while the process stood still, however long that was', async (t) => {
    const pass = clock(t);
    const { promise, resolve } = Promise.withResolvers<string>();
    const outcome = outcomeOf(within(1_000, promise));
    pass(700);
    // One timer was due long ago, as when the process stood still for a minute.
    pass(60_000);
    resolve('an answer');
    await turn();
    assert.equal(outcome.now, 'an answer');
  });

  it('goes to another when it comes late', async (t) => {
    const pass = clock(t);
    const late: string[] = [];
    const { promise, resolve } = Promise.withResolvers<string>();
    const outcome = outcomeOf(within(1_000, promise, (answer) => late.push(answer)));
    for (let step = 0; step < 10; step += 1) pass(100);
    resolve('an answer');
    await turn();
    assert.deepEqual([outcome.now, late], ['Error: PostgreSQL does not answer', ['an answer']]);
  });

  it('may be an error', async (t) => {
    clock(t);
    const outcome = outcomeOf(within(1_000, Promise.reject(new Error('no such table'))));
    await turn();
    assert.equal(outcome.now, 'Error: no such table');
  });
});
