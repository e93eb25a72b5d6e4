import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { runCli } from '../../server/cli/run-cli.js';
import { DiskFullError } from '../../server/errors.js';
import { createDatabaseMonitor, openDatabase } from '../../server/store/database.js';
import { RESERVE_BYTES, RESERVE_FILE } from '../../server/store/availability/disk-reserve.js';
import { takePostgresSpace } from '../../server/store/postgres/postgres-database.js';
import { SqlAccountStore } from '../../server/store/tables/sql-account-store.js';
import { SqlRecordingStore } from '../../server/store/tables/sql-recording-store.js';
import { SqlRefusalStore } from '../../server/store/tables/sql-refusal-store.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { until } from '../support/media/until.js';
import { aRecording, recordingIdOf } from '../support/recording.js';
import { startPostgres } from '../support/postgres.js';
import { sideBySide } from '../support/side-by-side.js';
import { canMount, smallDisk } from '../support/small-disk.js';
import { askDirector, streamServer, type TestServer } from '../support/stream-server.js';
import { aRefusal } from './store/tables/refusal-store.contract.js';

describe('a database that cannot grow', () => {
  it('reports that the disk is full, and not that there is no transaction to roll back', async (t) => {
    const cleanup = new Cleanup();
    t.after(() => cleanup.run());
    const folder = await dataFolder(cleanup);
    const monitor = createDatabaseMonitor(folder);
    cleanup.after(() => monitor.close());
    const problems: unknown[] = [];
    monitor.on('began', ({ code }) => problems.push(code)).on('over', ({ code }) => problems.push(`${code} is over`));
    const db = await openDatabase(folder, undefined, { monitor });
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(db);

    const refusals = new SqlRefusalStore(db);
    const batch = Array.from({ length: 450 }, () => aRefusal());
    const full = (error: unknown) =>
      error instanceof DiskFullError && error.cause instanceof Error && /disk is full/.test(error.cause.message);
    await assert.rejects(refusals.add(batch), full);
    assert.deepEqual(problems, ['disk_full']);
    // Later writes are refused without an attempt. Reads still work.
    await assert.rejects(refusals.add([aRefusal()]), DiskFullError);
    assert.equal((await refusals.list('acme', { page: 1, itemsOnPage: 1 })).total, 0);
    assert.deepEqual(
      monitor.problems.map(({ code }) => code),
      ['disk_full'],
    );
    assert.deepEqual(problems, ['disk_full']);
  });
});

/** Starts a server on this folder. The calls have the API secret of its account. */
async function startOn(cleanup: Cleanup, folder: string, environment: Record<string, string> = {}) {
  const app = await streamServer(cleanup, { DATA_DIR: folder, ...environment });
  await app.server.secrets.delete('main').catch(() => undefined);
  const secret = await app.server.secrets.create('main');
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(app.origin + path, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const envelope = JSON.parse(await response.text());
    return { status: response.status, code: envelope.data?.code, data: envelope.data };
  };
  const create = () => call('POST', '/api/subscribe_token', { streams: [{ streamName: 'main' }] });
  return { app, call, create };
}

const streamgate = async (folder: string, ...argv: string[]) => {
  const output = { stdout: '', stderr: '' };
  const status = await runCli(argv, {
    env: { DATA_DIR: folder },
    stdout: (text) => (output.stdout += text),
    stderr: (text) => (output.stderr += text),
  });
  return { status, ...output };
};

const logEntries = ({ log }: TestServer) =>
  log.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

if (canMount())
  describe('on a disk that is full', () => {
    // The disk is looked at every few seconds, for which the tests wait together.
    const beside = sideBySide();

    describe('a server on a full disk', () => {
      /** Creates tokens until the free pages of the database are used up, too. */
      const fillUp = async (create: () => Promise<{ status: number }>) =>
        await until('nothing more can be saved', async () => (await create()).status !== 200);

      beside(
        'reports the cause everywhere, disables and deletes tokens, and recovers when there is space',
        async ({ cleanup }) => {
          const disk = smallDisk(cleanup, 20);
          const { app, call, create } = await startOn(cleanup, disk.folder);
          const ids: number[] = [];
          for (let turn = 0; turn < 6; turn += 1) ids.push((await create()).data.Id);
          const bound = await app.token('subscribe', { bindIpsOnUsage: 1 });
          assert.equal(statSync(join(disk.folder, RESERVE_FILE)).size, RESERVE_BYTES);
          const { data: publish } = await call('POST', '/api/publish_token', {});
          disk.fill();
          await fillUp(create);

          assert.deepEqual([(await create()).status, (await create()).code], [507, 'disk_full']);
          const { status, body } = await askDirector(app, 'subscribe', bound);
          assert.deepEqual([status, body.data.code], [507, 'disk_full'], 'its binding cannot be saved');
          const health = await call('GET', '/healthz');
          assert.deepEqual(
            [health.status, health.data.up, health.data.problems.map(({ code }: { code: string }) => code)],
            [200, true, ['disk_full']],
          );

          const disabled = await call('PATCH', '/api/publish_token/disable', { tokenIds: [publish.Id] });
          assert.deepEqual(disabled.data, { successfulTokens: [publish.Id], failedTokens: [] });
          assert.equal((await call('PUT', `/api/subscribe_token/${ids[1]}`, { isActive: false })).data.isActive, false);
          assert.equal((await call('DELETE', `/api/subscribe_token/${ids[2]}`)).status, 200);
          assert.equal((await streamgate(disk.folder, 'token', 'disable', `${ids[3]}`)).status, 0);
          assert.equal((await streamgate(disk.folder, 'token', 'delete', `${ids[4]}`)).status, 0);
          const left = await call('GET', '/api/subscribe_token/list?sortBy=AddedOn');
          const shown = new Map(left.data.map(({ Id, isActive }: { Id: number; isActive: boolean }) => [Id, isActive]));
          assert.deepEqual(
            ids.map((id) => shown.get(id)),
            [true, false, undefined, false, undefined, true],
          );
          // The refused calls have not used up the reserve.
          assert.equal((await create()).status, 507);
          assert.ok(statSync(join(disk.folder, RESERVE_FILE)).size > RESERVE_BYTES / 2);

          for (const command of ['token create publish', 'account create x', 'dashboard']) {
            const { status, stdout, stderr } = await streamgate(disk.folder, ...command.split(' '));
            assert.deepEqual([status, stdout], [1, ''], command);
            assert.match(stderr, /^[^\n]*full[^\n]*$/, command);
          }
          const entries = logEntries(app).filter(
            ({ msg, code }) => msg === 'the database cannot do its work' && code === 'disk_full',
          );
          assert.deepEqual(
            entries.map(({ level }) => level),
            [50],
            'logEntries once, as an error',
          );
          assert.match(
            `${entries[0].problem} ${entries[0].cause}`,
            /disk of the database is full.*database or disk is full$/,
          );
          assert.ok(!app.log.text.includes('cannot rollback'));

          disk.empty();
          await until('something can be saved', async () => (await create()).status === 200);
          assert.deepEqual((await call('GET', '/healthz')).data, { up: true, problems: [] });
          assert.equal(statSync(join(disk.folder, RESERVE_FILE)).size, RESERVE_BYTES);
          assert.equal(logEntries(app).filter(({ msg }) => msg === 'the database works again').length, 1);
        },
      );

      beside('has one problem, also for the recordings on that disk', async ({ cleanup }) => {
        const disk = smallDisk(cleanup, 20);
        const { app, call, create } = await startOn(cleanup, disk.folder, { RECORDINGS_DIR: join(disk.folder, 'rec') });
        disk.fill();
        await fillUp(create);
        await until('the check of the recordings has found it', () =>
          logEntries(app).some(({ component, code }) => component === 'recordings_folder' && code === 'disk_full'),
        );
        const { problems } = (await call('GET', '/readyz')).data;
        assert.deepEqual(
          problems.map(({ code, component }: Record<string, string>) => [code, component]),
          [['disk_full', undefined]],
        );
      });

      beside('starts', async ({ cleanup }) => {
        const disk = smallDisk(cleanup, 20);
        const { app, create } = await startOn(cleanup, disk.folder);
        const { Id, Token } = (await create()).data;
        await app.server.close();
        disk.fill();

        const restarted = await streamServer(cleanup, { DATA_DIR: disk.folder });
        assert.equal((await askDirector(restarted, 'subscribe', Token)).status, 200);
        await restarted.server.close();
        assert.equal((await streamgate(disk.folder, 'token', 'disable', `${Id}`)).status, 0);
      });

      beside('deletes recordings, whose files free the disk, and ends those that were live', async ({ cleanup }) => {
        const disk = smallDisk(cleanup, 20);
        const monitor = createDatabaseMonitor(disk.folder);
        cleanup.after(() => monitor.close());
        monitor.takeReserve();
        const db = await openDatabase(disk.folder, undefined, { monitor });
        cleanup.after(() => db.destroy());
        await new SqlAccountStore(db).create('acme');
        const recordings = new SqlRecordingStore(db);
        const live = aRecording({ id: recordingIdOf(1), state: 'recording' });
        await recordings.add(live);
        await recordings.add(aRecording({ id: recordingIdOf(2), state: 'ready' }));
        disk.fill();
        const refusals = new SqlRefusalStore(db);
        await until('nothing more can be saved', () =>
          refusals.add(Array.from({ length: 450 }, () => aRefusal())).then(
            () => false,
            (error: unknown) => error instanceof DiskFullError,
          ),
        );

        assert.equal(await recordings.save({ ...live, state: 'finishing' }), true);
        for (const id of [recordingIdOf(1), recordingIdOf(2)]) {
          const removed = await recordings.remove('acme', id, Date.now());
          assert.ok(typeof removed === 'object' && removed.id === id);
        }
        assert.equal((await recordings.list('acme', { page: 1, itemsOnPage: 9 })).total, 0);
        await assert.rejects(recordings.add(live), DiskFullError);
      });

      beside('reports at its first start that the data folder cannot be used', async ({ cleanup }) => {
        const disk = smallDisk(cleanup, 1);
        disk.fill();
        const { status, stderr } = await streamgate(disk.folder, 'account', 'create', 'acme');
        assert.equal(status, 1);
        assert.match(stderr, /^the data folder \S+ cannot be used: [^\n]+$/);
      });
    });

    describe('a PostgreSQL on a full disk', () => {
      beside(
        'has this told once, although small changes succeed, and its end when there is space',
        async ({ cleanup }) => {
          const disk = smallDisk(cleanup, 100);
          const postgres = await startPostgres({ disk: disk.folder });
          cleanup.after(() => postgres.stop());
          const databaseUrl = await postgres.newDatabase();
          const monitor = createDatabaseMonitor('', databaseUrl);
          cleanup.after(() => monitor.close());
          const told: string[] = [];
          monitor.on('began', ({ code }) => told.push(code)).on('over', ({ code }) => told.push(`${code} is over`));
          const db = await openDatabase('', databaseUrl, { monitor });
          cleanup.after(() => db.destroy());
          await new SqlAccountStore(db).create('acme');
          disk.fill();
          const refusals = new SqlRefusalStore(db);
          const add = () => refusals.add(Array.from({ length: 450 }, () => aRefusal()));
          const isRefused = () =>
            add().then(
              () => false,
              (error: unknown) => error instanceof DiskFullError,
            );
          await until('tables have no free space', isRefused);

          for (let turn = 0; turn < 10; turn += 1) {
            await db.updateTable('account').set({ id: 'acme' }).where('id', '=', 'acme').execute();
            assert.ok(await isRefused());
          }
          await assert.rejects(takePostgresSpace(db), DiskFullError);
          assert.deepEqual(told, ['disk_full']);

          disk.empty();
          await until('it is over', () => monitor.problems.length === 0);
          await add();
          assert.deepEqual(told, ['disk_full', 'disk_full is over']);
        },
      );
    });
  });
