import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  FAILURES_ALLOWED,
  FAILURES_SECONDS,
  FailedAttemptLimiter,
  type FailedAttempt,
} from '../../../server/accounts/failed-attempt-limiter.js';

const ADDRESS = '192.0.2.1';

describe('FailedAttemptLimiter', () => {
  let attempts: FailedAttemptLimiter;
  let now: number;
  /** The secrets that were looked up in the database. */
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

  it('allows some failures, then answers how long to wait without asking the database', async () => {
    await guess(FAILURES_ALLOWED);
    now += 20_000;
    for (const secret of ['another', 'and another', 'wrong 192.0.2.1 0'])
      await assert.rejects(present(secret), slowedDown(FAILURES_SECONDS - 20));
    assert.equal(asked.length, FAILURES_ALLOWED);
  });

  it('makes no more look-ups for concurrent attempts', async () => {
    const together = Array.from({ length: 100 }, (_, turn) => present(`wrong ${turn}`));
    const outcomes = await Promise.allSettled(together);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, FAILURES_ALLOWED);
    assert.equal(asked.length, FAILURES_ALLOWED);
  });

  it('does not extend the wait for further attempts', async () => {
    await guess(FAILURES_ALLOWED);
    now += 59_500;
    await assert.rejects(present('another'), slowedDown(1));
    now += 500;
    await guess(FAILURES_ALLOWED);
  });

  it('looks up a repeated secret once, also for concurrent attempts', async () => {
    await Promise.all([present('old'), present('old'), present('old')]);
    for (let turn = 3; turn < FAILURES_ALLOWED; turn += 1) assert.equal(await present('old'), undefined);
    await assert.rejects(present('old'), { status: 429 });
    assert.deepEqual(asked, ['old']);
    now += FAILURES_SECONDS * 1_000;
    assert.equal(await present('old'), undefined);
    assert.deepEqual(asked, ['old', 'old']);
  });

  it('admits the owner from the address of a job with an old secret', async () => {
    for (let turn = 0; turn < 100; turn += 1) await present('old').catch(() => undefined);
    assert.equal(await present('right'), 'account of right');
  });

  it('admits an owner with a known secret from the address of an attacker, until the secret is replaced', async () => {
    await present('right');
    await guess(FAILURES_ALLOWED);
    assert.equal(await present('right'), 'account of right');
    right.delete('right');
    await assert.rejects(async () => await present('right').then((found) => found ?? Promise.reject(new Error('401'))));
    await assert.rejects(present('right'), { status: 429 });
  });

  it('admits many concurrent calls with the correct secret', async () => {
    const found = await Promise.all(Array.from({ length: 100 }, () => present('right')));
    assert.ok(found.every((account) => account === 'account of right'));
    await guess(FAILURES_ALLOWED);
  });

  it('counts no failure when the database does not answer', async () => {
    const find = () => Promise.reject(new Error('away'));
    for (let turn = 0; turn < 2 * FAILURES_ALLOWED; turn += 1) {
      await assert.rejects(attempts.lookUp({ address: ADDRESS, secret: 'right', find }), /away/);
    }
    assert.equal(await present('right'), 'account of right');
  });

  it('counts each address separately, and unknown addresses together', async () => {
    await guess(FAILURES_ALLOWED);
    await guess(FAILURES_ALLOWED, '192.0.2.2');
    await guess(FAILURES_ALLOWED, '');
    await assert.rejects(present('another', ''), { status: 429 });
  });

  it('never limits a wrong cookie, however often a browser sends it', async () => {
    for (let turn = 0; turn < 3 * FAILURES_ALLOWED; turn += 1) {
      assert.equal(await present('expired', ADDRESS, true), undefined);
    }
    assert.deepEqual(asked, ['expired']);
  });

  it('counts failures at other servers, which count those of this one', async () => {
    const shared: FailedAttempt[] = [];
    const other = new FailedAttemptLimiter(() => now);
    attempts = new FailedAttemptLimiter(
      () => now,
      (failed) => {
        shared.push(failed);
        other.failedElsewhere(failed);
      },
    );
    await guess(FAILURES_ALLOWED);
    assert.deepEqual(new Set(shared.map(({ kind }) => kind)), new Set(['look-up', 'refusal']));
    attempts = other;
    await assert.rejects(present('another'), slowedDown(FAILURES_SECONDS));
    assert.equal(asked.length, FAILURES_ALLOWED);
    assert.equal(await present('right', '192.0.2.2'), 'account of right');
  });

  it('shares no attempt with a right secret', async () => {
    const shared: FailedAttempt[] = [];
    attempts = new FailedAttemptLimiter(
      () => now,
      (failed) => shared.push(failed),
    );
    await present('right');
    assert.deepEqual(shared, []);
  });
});
