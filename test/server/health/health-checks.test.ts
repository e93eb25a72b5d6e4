import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { CHECK_EVERY_MS, HealthChecks, type Finding, type HealthCheck } from '../../../server/health/health-checks.js';

const full: Finding = { level: 'problem', code: 'disk_full', message: 'full' };

describe('the checks of health', () => {
  let now: number;
  let told: unknown[];
  beforeEach(() => {
    now = 1_000;
    told = [];
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => mock.timers.reset());

  const open = (...checks: HealthCheck[]) => {
    const log = {
      info: ({ code, lastedMs }: { code?: unknown; lastedMs?: unknown }) => told.push(['over', code, lastedMs]),
      warn: ({ code, problem }: { code?: unknown; problem?: unknown }) => told.push(['began', code, problem]),
    };
    return new HealthChecks({ checks, now: () => now, log });
  };

  it('report a finding with its part while it lasts, and log its begin and its end once', async () => {
    let finding: Finding | undefined = full;
    const checks = open({ component: 'disk', check: () => finding });
    await checks.run();
    now += 500;
    await checks.run();
    assert.deepEqual(checks.findings, [{ ...full, component: 'disk', since: 1_000 }]);
    finding = undefined;
    await checks.run();
    assert.deepEqual(checks.findings, []);
    assert.deepEqual(told, [
      ['began', 'disk_full', 'full'],
      ['over', 'disk_full', 500],
    ]);
  });

  it('log a finding again that has another reason, and keep its begin', async () => {
    let message = 'one';
    const checks = open({ component: 'disk', check: () => ({ ...full, message }) });
    await checks.run();
    message = 'two';
    now += 1;
    await checks.run();
    assert.deepEqual(checks.findings, [{ ...full, message: 'two', component: 'disk', since: 1_000 }]);
    assert.deepEqual(told, [
      ['began', 'disk_full', 'one'],
      ['began', 'disk_full', 'two'],
    ]);
  });

  it('are run every ten seconds, and not after the end', () => {
    let runs = 0;
    const checks = open({ component: 'disk', check: () => void (runs += 1) });
    checks.start();
    assert.equal(runs, 1);
    checks.close();
    mock.timers.tick(CHECK_EVERY_MS);
    assert.equal(runs, 1);
  });

  it('find a check stuck that has not ended by its next turn, and beside it run the others', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const stuck: Finding = { level: 'problem', code: 'disk_failed', message: 'no answer' };
    let others = 0;
    const checks = open(
      { component: 'disk', check: () => promise, stuck },
      { component: 'other', check: () => void (others += 1) },
    );
    const first = checks.run();
    await setImmediate();
    const second = checks.run();
    assert.deepEqual(
      checks.findings.map(({ code, message }) => [code, message]),
      [['disk_failed', 'no answer']],
    );
    resolve(undefined);
    await Promise.all([first, second]);
    assert.deepEqual(checks.findings, []);
    assert.equal(others, 2);
  });
});
