import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { FairLimit } from '../../server/fair-limit.js';

/** Work that ends when a test says so. */
function workshop(limit: FairLimit) {
  const running: { readonly owner: string; readonly end: () => void }[] = [];
  const done: Promise<void>[] = [];
  return {
    running,
    begin(owner: string) {
      const work = () =>
        new Promise<void>((resolve) => {
          const entry = {
            owner,
            end() {
              running.splice(running.indexOf(entry), 1);
              resolve();
            },
          };
          running.push(entry);
        });
      done.push(limit.run(owner, work));
    },
    owners: () => running.map(({ owner }) => owner).join(''),
    all: () => Promise.all(done),
  };
}
const settle = () => new Promise(setImmediate);

describe('a fair limit', () => {
  it('tells how much waits, and no more of what runs', async () => {
    const limit = new FairLimit({ atOnce: 2, ofOne: 2 });
    const shop = workshop(limit);
    for (let count = 0; count < 5; count += 1) shop.begin('a');
    await settle();
    assert.equal(limit.waiting, 3);
    shop.running[0]!.end();
    await settle();
    assert.equal(limit.waiting, 2);
    while (shop.running.length > 0) {
      shop.running[0]!.end();
      await settle();
    }
    await shop.all();
    assert.equal(limit.waiting, 0);
  });

  it('runs as much at once as it may, and of one owner a part', async () => {
    const shop = workshop(new FairLimit({ atOnce: 4, ofOne: 3 }));
    for (let count = 0; count < 10; count += 1) shop.begin('a');
    await settle();
    assert.equal(shop.owners(), 'aaa');
    shop.begin('b');
    shop.begin('b');
    await settle();
    assert.equal(shop.owners(), 'aaab');
  });

  it('gives owners their turns one after the other', async () => {
    const shop = workshop(new FairLimit({ atOnce: 2, ofOne: 1 }));
    for (const owner of 'aaabbbcc') shop.begin(owner);
    const order = [];
    for (await settle(); shop.running.length > 0; await settle()) {
      order.push(shop.running[0]!.owner);
      shop.running[0]!.end();
    }
    // The first two run at once, while the rest comes.
    assert.equal(order.join(''), 'ababcabc');
  });

  it('goes on after work that failed', async () => {
    const limit = new FairLimit({ atOnce: 1, ofOne: 1 });
    const failing = limit.run('a', () => Promise.reject(new Error('no')));
    const next = limit.run('a', async () => 'done');
    await assert.rejects(failing, { message: 'no' });
    assert.equal(await next, 'done');
  });

  it('runs everything, never more than it may, and leaves no place free that somebody may have', async () => {
    const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat(9)), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 6 }), steps, async (atOnce, taken) => {
        const ofOne = atOnce - 1;
        const shop = workshop(new FairLimit({ atOnce, ofOne }));
        const waiting = new Map<string, number>();
        for (const step of taken) {
          if (typeof step === 'string') {
            shop.begin(step);
            waiting.set(step, (waiting.get(step) ?? 0) + 1);
          } else {
            const ended = shop.running[step];
            if (ended) waiting.set(ended.owner, waiting.get(ended.owner)! - 1);
            ended?.end();
          }
          await settle();
          const runs = (owner: string) => shop.running.filter((one) => one.owner === owner).length;
          const expected = [...waiting].map(([, count]) => Math.min(ofOne, count)).reduce((sum, one) => sum + one, 0);
          for (const owner of waiting.keys()) assert.ok(runs(owner) <= ofOne);
          assert.equal(shop.running.length, Math.min(atOnce, expected));
        }
        for (; shop.running.length > 0; await settle()) shop.running[0]!.end();
        await shop.all();
      }),
    );
  });
});
