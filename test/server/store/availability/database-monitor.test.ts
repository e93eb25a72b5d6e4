import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { DatabaseUnavailableError, DiskFullError } from '../../../../server/errors.js';
import {
  DatabaseMonitor,
  DISK_CHECK_INTERVAL_MS,
  BUSY_REPORT_INTERVAL_MS,
} from '../../../../server/store/availability/database-monitor.js';
import { DiskReserve, allowOnFullDisk, RESERVE_FILE } from '../../../../server/store/availability/disk-reserve.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';

const BYTES = 300_000;

describe('DatabaseMonitor', () => {
  const cleanup = new Cleanup();
  let now: number;
  let told: unknown[];

  beforeEach(() => {
    now = 1_000_000;
    told = [];
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(async () => {
    mock.timers.reset();
    await cleanup.run();
  });

  const open = (reserve?: DiskReserve) => {
    const watch = new DatabaseMonitor({ reserve, now: () => now });
    cleanup.after(() => watch.close());
    watch.on('began', ({ code }, cause) => told.push(['began', code, cause]));
    watch.on('over', ({ code }, lastedMs) => told.push(['over', code, lastedMs]));
    watch.on('busy', (calls) => told.push(['busy', calls]));
    return watch;
  };

  it('tells once that the database is away, and once that it is back', () => {
    const watch = open();
    const cause = new Error('gone');
    for (let turn = 0; turn < 5; turn += 1) watch.failed(new DatabaseUnavailableError({ cause }));
    assert.deepEqual(
      watch.problems.map(({ code, since }) => [code, since]),
      [['database_unavailable', now]],
    );
    now += 1_500;
    for (let turn = 0; turn < 5; turn += 1) watch.answered(false);
    assert.deepEqual(told, [
      ['began', 'database_unavailable', cause],
      ['over', 'database_unavailable', 1_500],
    ]);
    assert.deepEqual(watch.problems, []);
  });

  it('takes no answer to somebody who reads for a sign that there is room', () => {
    const watch = open();
    watch.failed(new DiskFullError());
    watch.answered(false);
    assert.equal(watch.problems.length, 1);
    watch.answered(true);
    assert.equal(watch.problems.length, 0);
  });

  it('counts calls that a slow database refused, and tells of them once a minute', () => {
    const watch = open();
    for (let turn = 0; turn < 5; turn += 1) watch.failed(new DatabaseUnavailableError({ isBusy: true }));
    assert.deepEqual([told, watch.problems], [[['busy', 1]], []]);
    now += BUSY_REPORT_INTERVAL_MS;
    watch.failed(new DatabaseUnavailableError({ isBusy: true }));
    assert.deepEqual(told.slice(1), [['busy', 5]]);
  });

  it('passes over what is a fault of ours', () => {
    const watch = open();
    watch.failed(new Error('unique constraint'));
    assert.deepEqual([told, watch.problems], [[], []]);
  });

  it('gives the reserve to changes that may use it, takes it back after each, and refuses the others', async () => {
    const folder = await dataFolder(cleanup);
    const reserve = () => statSync(join(folder, RESERVE_FILE)).size;
    const watch = open(new DiskReserve(folder, BYTES));
    assert.ok(!existsSync(join(folder, RESERVE_FILE)), 'only a server makes one');
    watch.takeReserve();
    watch.beforeWrite();
    watch.failed(new DiskFullError());
    assert.throws(() => watch.beforeWrite(), DiskFullError);
    assert.equal(reserve(), BYTES);
    await allowOnFullDisk(async () => {
      watch.beforeWrite();
      assert.equal(reserve(), 0);
      watch.answered(true);
    });
    assert.equal(reserve(), BYTES);
    assert.deepEqual(
      watch.problems.map(({ code }) => code),
      ['disk_full'],
    );
  });

  it('looks for room, and takes the reserve first', async () => {
    const folder = await dataFolder(cleanup);
    const watch = open(new DiskReserve(folder, BYTES));
    watch.failed(new DiskFullError());
    mock.timers.tick(DISK_CHECK_INTERVAL_MS);
    assert.deepEqual(
      told.map((one) => (one as string[])[0]),
      ['began', 'over'],
    );
    assert.equal(statSync(join(folder, RESERVE_FILE)).size, BYTES);
    watch.beforeWrite();
  });

  it('takes the reserve back also from a change that was given up', async () => {
    const folder = await dataFolder(cleanup);
    const watch = open(new DiskReserve(folder, BYTES));
    watch.failed(new DiskFullError());
    await allowOnFullDisk(async () => watch.beforeWrite());
    mock.timers.tick(2 * DISK_CHECK_INTERVAL_MS);
    assert.equal(statSync(join(folder, RESERVE_FILE)).size, BYTES);
    assert.deepEqual(watch.problems, []);
  });
});
