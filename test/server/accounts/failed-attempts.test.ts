import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { FAILURES_ALLOWED, FAILURES_SECONDS, FailedAttempts } from '../../../server/accounts/failed-attempts.js';

describe('FailedAttempts', () => {
  let attempts: FailedAttempts;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    attempts = new FailedAttempts();
  });
  afterEach(() => mock.timers.reset());

  const fail = async (times: number, address = '192.0.2.1') => {
    for (let turn = 0; turn < times; turn += 1) await attempts.count(address);
  };
  const slowedDown = (seconds: number) => ({
    status: 429,
    code: 'too_many_attempts',
    headers: { 'retry-after': String(seconds) },
  });

  it('lets some through and then says how long to wait', async () => {
    await fail(FAILURES_ALLOWED);
    mock.timers.tick(20_000);
    await assert.rejects(fail(1), slowedDown(FAILURES_SECONDS - 20));
  });

  it('does not make the wait longer for whoever goes on', async () => {
    await fail(FAILURES_ALLOWED);
    mock.timers.tick(59_500);
    await assert.rejects(fail(1), slowedDown(1));
    mock.timers.tick(500);
    await fail(FAILURES_ALLOWED);
  });

  it('counts each address by itself, and all that cannot be told as one', async () => {
    await fail(FAILURES_ALLOWED);
    await fail(FAILURES_ALLOWED, '192.0.2.2');
    await fail(FAILURES_ALLOWED, '');
    await assert.rejects(fail(1, ''), { status: 429 });
  });
});
