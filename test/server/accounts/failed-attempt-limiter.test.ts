import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  FAILURES_ALLOWED,
  FAILURES_SECONDS,
  FailedAttemptLimiter,
} from '../../../server/accounts/failed-attempt-limiter.js';
import { ExpiringMap } from '../../../server/expiring-map.js';

const ADDRESS = '192.0.2.1';

describe('FailedAttemptLimiter', () => {
  let attempts: FailedAttemptLimiter;
  let now: number;
  /** What the database was asked for. */
  let asked: string[];
  let right: Set<string>;

  beforeEach(() => {
    now = 1_000_000;
    attempts = new FailedAttemptLimiter(() => now);
    asked = [];
    right = new Set(['right']);
  });

  const present = (secret: string, address = ADDRESS, ignoreRepeats = false) => {
    const find = async () => {
      asked.push(secret);
      await Promise.resolve();
      return right.has(secret) ? `account of ${secret}` : undefined;
    };
    return attempts.lookUp({ address, secret, find, ignoreRepeats });
  };
  const guess = async (times: number, address = ADDRESS) => {
    for (let turn = 0; turn < times; turn += 1) await present(`wrong ${address} ${turn}`, address);
  };
  const slowedDown = (seconds: number) => ({
    status: 429,
    code: 'too_many_attempts',
    headers: { 'retry-after': String(seconds) },
  });

  it('lets some through and then says how long to wait, without asking the database', async () => {
    await guess(FAILURES_ALLOWED);
    now += 20_000;
    for (const secret of ['another', 'and another', 'wrong 192.0.2.1 0'])
      await assert.rejects(present(secret), slowedDown(FAILURES_SECONDS - 20));
    assert.equal(asked.length, FAILURES_ALLOWED);
  });

  it('asks no oftener for those that come together', async () => {
    const together = Array.from({ length: 100 }, (_, turn) => present(`wrong ${turn}`));
    const outcomes = await Promise.allSettled(together);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, FAILURES_ALLOWED);
    assert.equal(asked.length, FAILURES_ALLOWED);
  });

  it('does not make the wait longer for whoever goes on', async () => {
    await guess(FAILURES_ALLOWED);
    now += 59_500;
    await assert.rejects(present('another'), slowedDown(1));
    now += 500;
    await guess(FAILURES_ALLOWED);
  });

  it('asks once for a secret that is presented again and again, also together', async () => {
    await Promise.all([present('old'), present('old'), present('old')]);
    for (let turn = 3; turn < FAILURES_ALLOWED; turn += 1) assert.equal(await present('old'), undefined);
    await assert.rejects(present('old'), { status: 429 });
    assert.deepEqual(asked, ['old']);
    now += FAILURES_SECONDS * 1_000;
    assert.equal(await present('old'), undefined);
    assert.deepEqual(asked, ['old', 'old']);
  });

  it('lets the owner in beside a job with an old secret', async () => {
    for (let turn = 0; turn < 100; turn += 1) await present('old').catch(() => undefined);
    assert.equal(await present('right'), 'account of right');
  });

  it('lets an owner in who was there before beside one who guesses, and sees at once that the secret was replaced', async () => {
    await present('right');
    await guess(FAILURES_ALLOWED);
    assert.equal(await present('right'), 'account of right');
    right.delete('right');
    await assert.rejects(async () => await present('right').then((found) => found ?? Promise.reject(new Error('401'))));
    await assert.rejects(present('right'), { status: 429 });
  });

  it('lets many calls in at once with a secret that is right', async () => {
    const found = await Promise.all(Array.from({ length: 100 }, () => present('right')));
    assert.ok(found.every((account) => account === 'account of right'));
    await guess(FAILURES_ALLOWED);
  });

  it('forgives a database that does not answer', async () => {
    const find = () => Promise.reject(new Error('away'));
    for (let turn = 0; turn < 2 * FAILURES_ALLOWED; turn += 1) {
      await assert.rejects(attempts.lookUp({ address: ADDRESS, secret: 'right', find }), /away/);
    }
    assert.equal(await present('right'), 'account of right');
  });

  it('counts each address by itself, and all that cannot be told as one', async () => {
    await guess(FAILURES_ALLOWED);
    await guess(FAILURES_ALLOWED, '192.0.2.2');
    await guess(FAILURES_ALLOWED, '');
    await assert.rejects(present('another', ''), { status: 429 });
  });

  it('goes on saying that a cookie is wrong, however often a browser sends it', async () => {
    for (let turn = 0; turn < 3 * FAILURES_ALLOWED; turn += 1) {
      assert.equal(await present('expired', ADDRESS, true), undefined);
    }
    assert.deepEqual(asked, ['expired']);
  });
});

describe('ExpiringMap', () => {
  it('holds no more than there is room for, and lets the oldest go', () => {
    let now = 0;
    const values = new ExpiringMap<number>({ capacity: 3, lifeMs: 10, now: () => now });
    for (let key = 0; key < 1_000; key += 1) values.set(`${key}`, key);
    assert.deepEqual([values.size, values.get('996'), values.get('997')], [3, undefined, 997]);
    now = 10;
    assert.deepEqual([values.get('997'), values.remainingMs('997')], [undefined, 0]);
    values.set('new', 1);
    assert.deepEqual([values.size, values.remainingMs('new')], [1, 10]);
  });
});
