import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { DatabaseUnavailableError, DiskFullError } from '../../../../server/errors.js';
import {
  DatabaseMonitor,
  DISK_CHECK_INTERVAL_MS,
  BUSY_REPORT_INTERVAL_MS,
  WRITE_CHECK_INTERVAL_MS,
} from '../../../../server/store/availability/database-monitor.js';
import { DiskReserve, allowOnFullDisk, RESERVE_FILE } from '../../../../server/store/availability/disk-reserve.js';
import { FULL_DISK_HOLD_MS } from '../../../../server/store/availability/free-space.js';
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
    watch.on('changed', ({ code }, cause) => told.push(['changed', code, cause]));
    watch.on('over', ({ code }, lastedMs) => told.push(['over', code, lastedMs]));
    watch.on('busy', (calls) => told.push(['busy', calls]));
    return watch;
  };

  it('has lost notifications until those of all channels arrive, whatever is read meanwhile', () => {
    const watch = open();
    const cause = new Error('no echo');
    watch.notificationsLost('tokens', cause);
    watch.notificationsLost('cluster', cause);
    watch.answered(true);
    watch.notificationsArrive('tokens');
    assert.deepEqual(
      watch.problems.map(({ code }) => code),
      ['notifications_lost'],
    );
    now += 2_000;
    watch.notificationsArrive('cluster');
    assert.deepEqual(told, [
      ['began', 'notifications_lost', cause],
      ['over', 'notifications_lost', 2_000],
    ]);
    assert.deepEqual(watch.problems, []);
  });

  it('emits once that the database is unavailable, and once that it works again', () => {
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

  it('does not end an outage by an answer to a statement that began before it', () => {
    const watch = open();
    const before = watch.begins();
    watch.failed(new DatabaseUnavailableError(), before);
    watch.answered(true, before);
    assert.equal(watch.problems.length, 1);
    watch.answered(true, watch.begins());
    assert.equal(watch.problems.length, 0);
  });

  it('does not begin an outage again by the failure of a statement that began before its end', () => {
    const watch = open();
    watch.failed(new DatabaseUnavailableError(), watch.begins());
    const during = watch.begins();
    watch.answered(false, during);
    watch.failed(new DatabaseUnavailableError(), during);
    assert.deepEqual([told.length, watch.problems], [2, []]);
    watch.failed(new DatabaseUnavailableError(), watch.begins());
    assert.equal(watch.problems.length, 1);
  });

  it('does not say of a read-only database that it does not answer', () => {
    const watch = open();
    watch.failed(new DatabaseUnavailableError({ fault: 'read-only' }));
    assert.deepEqual(watch.problems, [
      {
        code: 'database_unavailable',
        message: 'The database is read-only: nothing can be saved, and with PostgreSQL nobody can publish',
        since: now,
      },
    ]);
  });

  it('ends that a database is read-only when a write succeeds, and not when reads do', () => {
    const watch = open();
    const cause = new Error('demoted');
    for (let turn = 0; turn < 3; turn += 1) {
      watch.failed(new DatabaseUnavailableError({ fault: 'read-only', cause }));
      watch.answered(false);
    }
    assert.deepEqual(told, [['began', 'database_unavailable', cause]]);
    now += 4_000;
    watch.answered(true);
    assert.deepEqual(told.slice(1), [['over', 'database_unavailable', 4_000]]);
  });

  it('needs a write to end an outage after which the database is read-only, and says what is wrong now', () => {
    const watch = open();
    watch.failed(new DatabaseUnavailableError());
    now += 1_000;
    watch.failed(new DatabaseUnavailableError({ fault: 'read-only' }));
    watch.answered(false);
    assert.match(watch.problems[0]!.message, /^The database is read-only/);
    assert.equal(watch.problems[0]!.since, now - 1_000);
    watch.answered(true);
    assert.deepEqual(
      told.map((one) => (one as string[])[0]),
      ['began', 'changed', 'over'],
    );
  });

  it('has a write tried while the database is read-only, and no longer', () => {
    const watch = open();
    let writes = 0;
    watch.tryWith({ write: async () => void (writes += 1) });
    mock.timers.tick(3 * WRITE_CHECK_INTERVAL_MS);
    assert.equal(writes, 0);
    watch.failed(new DatabaseUnavailableError({ fault: 'read-only' }));
    watch.failed(new DatabaseUnavailableError({ fault: 'read-only' }));
    mock.timers.tick(3 * WRITE_CHECK_INTERVAL_MS);
    assert.equal(writes, 3);
    watch.answered(true);
    mock.timers.tick(3 * WRITE_CHECK_INTERVAL_MS);
    assert.equal(writes, 3);
  });

  describe('without a reserve', () => {
    const space = () => {
      const watch = open();
      /** The outcome of each try. */
      const tries: PromiseWithResolvers<void>[] = [];
      const takeSpace = () => {
        const next = Promise.withResolvers<void>();
        tries.push(next);
        return next.promise;
      };
      watch.tryWith({ write: async () => {}, takeSpace });
      const codes = () => told.map((one) => (one as string[])[0]);
      return { watch, tries, codes };
    };
    /** Everything that promises have left to do is done. */
    const settled = () => new Promise((resolve) => setImmediate(resolve));

    it('does not end a full disk when a read or a write succeeds: there is space for small ones', async () => {
      const { watch, codes } = space();
      for (let turn = 0; turn < 3; turn += 1) {
        watch.failed(new DiskFullError());
        watch.answered(false);
        watch.answered(true);
      }
      assert.deepEqual([watch.problems.length, codes()], [1, ['began']]);
    });

    it('ends a full disk when new space could be taken, and tries no longer', async () => {
      const { watch, tries, codes } = space();
      mock.timers.tick(DISK_CHECK_INTERVAL_MS);
      assert.equal(tries.length, 0);
      watch.failed(new DiskFullError());
      mock.timers.tick(DISK_CHECK_INTERVAL_MS);
      tries[0]!.reject(new DiskFullError());
      await settled();
      assert.deepEqual(codes(), ['began']);
      now += 10_000;
      mock.timers.tick(DISK_CHECK_INTERVAL_MS);
      tries[1]!.resolve();
      await settled();
      assert.deepEqual(told.slice(1), [['over', 'disk_full', 10_000]]);
      mock.timers.tick(3 * DISK_CHECK_INTERVAL_MS);
      assert.equal(tries.length, 2);
    });

    it('does not end a full disk while the database does not answer', async () => {
      const { watch, tries } = space();
      watch.failed(new DiskFullError());
      now += 2 * FULL_DISK_HOLD_MS;
      mock.timers.tick(DISK_CHECK_INTERVAL_MS);
      tries[0]!.reject(new DatabaseUnavailableError());
      await settled();
      assert.deepEqual(
        watch.problems.map(({ code }) => code),
        ['disk_full'],
      );
    });

    it('does not end a full disk by space that was taken while another call found none', async () => {
      const { watch, tries, codes } = space();
      watch.failed(new DiskFullError());
      mock.timers.tick(DISK_CHECK_INTERVAL_MS);
      now += 1;
      watch.failed(new DiskFullError());
      tries[0]!.resolve();
      await settled();
      assert.deepEqual(codes(), ['began']);
    });

    it('ends a full disk after a minute without a refused call, if the database permits no try', async () => {
      const { watch, tries, codes } = space();
      const denied = async () => {
        mock.timers.tick(DISK_CHECK_INTERVAL_MS);
        tries.at(-1)!.reject(new Error('permission denied to create temporary tables'));
        await settled();
      };
      watch.failed(new DiskFullError());
      now += FULL_DISK_HOLD_MS - 1;
      await denied();
      watch.failed(new DiskFullError());
      now += FULL_DISK_HOLD_MS - 1;
      await denied();
      assert.deepEqual(codes(), ['began']);
      now += 1;
      await denied();
      assert.deepEqual(codes(), ['began', 'over']);
    });
  });

  it('counts the calls that a slow database refused, and reports them once a minute', () => {
    const watch = open();
    for (let turn = 0; turn < 5; turn += 1) watch.failed(new DatabaseUnavailableError({ fault: 'busy' }));
    assert.deepEqual([told, watch.problems], [[['busy', 1]], []]);
    now += BUSY_REPORT_INTERVAL_MS;
    watch.failed(new DatabaseUnavailableError({ fault: 'busy' }));
    assert.deepEqual(told.slice(1), [['busy', 5]]);
  });

  it('ignores errors of the program', () => {
    const watch = open();
    watch.failed(new Error('unique constraint'));
    assert.deepEqual([told, watch.problems], [[], []]);
  });

  it('releases the reserve for changes that may use it, takes it back after each, and refuses the others', async () => {
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

  it('checks the disk, and fills the reserve first', async () => {
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

  it('takes the reserve back after a change that never ended', async () => {
    const folder = await dataFolder(cleanup);
    const watch = open(new DiskReserve(folder, BYTES));
    watch.failed(new DiskFullError());
    await allowOnFullDisk(async () => watch.beforeWrite());
    mock.timers.tick(2 * DISK_CHECK_INTERVAL_MS);
    assert.equal(statSync(join(folder, RESERVE_FILE)).size, BYTES);
    assert.deepEqual(watch.problems, []);
  });
});
