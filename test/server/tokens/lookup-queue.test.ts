import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LookupQueue, LookupQueueFullError } from '../../../server/tokens/lookup-queue.js';

/** A look-up that the test completes. */
function aLookup(key = '') {
  let end = (): void => {};
  let fail = (_error: Error): void => {};
  let begun = 0;
  const look = () =>
    new Promise<void>((resolve, reject) => {
      begun += 1;
      end = resolve;
      fail = reject;
    });
  return { key, look, end: () => end(), fail: (error: Error) => fail(error), begun: () => begun };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('LookupQueue', () => {
  const aQueue = () => new LookupQueue<string>({ maxRunning: 2, maxWaiting: 2 });

  it('runs the permitted number at once, and the others in order', async () => {
    const queue = aQueue();
    const [a, b, c, d] = [aLookup(), aLookup(), aLookup(), aLookup()];
    const all = Promise.all([a, b, c, d].map(({ look }, index) => queue.run(String(index), look)));
    await settled();
    assert.deepEqual([a.begun(), b.begun(), c.begun(), d.begun()], [1, 1, 0, 0]);
    b.end();
    await settled();
    assert.deepEqual([c.begun(), d.begun()], [1, 0]);
    for (const { end } of [a, c]) end();
    await settled();
    d.end();
    await all;
  });

  it('shares a waiting look-up, and no running one', async () => {
    const queue = aQueue();
    const looks = [aLookup(), aLookup(), aLookup(), aLookup()] as const;
    const all = Promise.all(looks.map(({ look }) => queue.run('same', look)));
    await settled();
    looks[0].end();
    looks[1].end();
    await settled();
    looks[2].end();
    await all;
    assert.deepEqual(
      looks.map(({ begun }) => begun()),
      [1, 1, 1, 0],
    );
  });

  it('has room for others when it is full of look-ups of one network', async () => {
    const queue = new LookupQueue<string>({ maxRunning: 1, maxWaiting: 3 });
    const looks = ['a', 'b', 'c', 'd'].map((key) => aLookup(key));
    const results = looks.map(({ key, look }) =>
      queue.run(key, look, '192.0.2.1').then(
        () => key,
        () => `${key} refused`,
      ),
    );
    await assert.rejects(queue.run('e', aLookup().look, '192.0.2.200'), LookupQueueFullError);
    const other = aLookup('f');
    const admitted = queue.run('f', other.look, '198.51.100.1');
    assert.equal(await results[1], 'b refused');
    for (const { end } of [looks[0]!, looks[2]!, looks[3]!, other]) {
      end();
      await settled();
    }
    await admitted;
    assert.deepEqual(await Promise.all(results), ['a', 'b refused', 'c', 'd']);
  });

  it('refuses look-ups when it is full, and accepts them again later', async () => {
    const queue = aQueue();
    const looks = ['a', 'b', 'c', 'd'].map((key) => aLookup(key));
    const all = Promise.all(looks.map(({ key, look }) => queue.run(key, look)));
    await assert.rejects(queue.run('e', aLookup().look), LookupQueueFullError);
    looks[0]!.end();
    await settled();
    const later = queue.run('e', async () => {});
    for (const { end } of looks.slice(1)) {
      end();
      await settled();
    }
    await Promise.all([all, later]);
  });

  it('rejects the waiting look-ups when one fails, and continues', async () => {
    const queue = aQueue();
    const looks = ['a', 'b', 'c'].map((key) => aLookup(key));
    const outcomes = Promise.allSettled(looks.map(({ key, look }) => queue.run(key, look)));
    await settled();
    looks[0]!.fail(new Error('the database is away'));
    await settled();
    looks[1]!.end();
    assert.deepEqual(
      (await outcomes).map(({ status }) => status),
      ['rejected', 'fulfilled', 'rejected'],
    );
    assert.equal(looks[2]!.begun(), 0);
    await queue.run('d', async () => {});
  });
});
