import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { FollowedGuide } from '../../support/followed-guide.js';
import { GuideMachine } from '../../support/guide-machine.js';
import { until } from '../../support/media/until.js';
import { query } from '../../support/postgres.js';
import { askDirector } from '../../support/stream-server.js';
import { ownSuitePostgres } from '../../support/suite-postgres.js';

const GUIDE = 'operating/backup-and-restore';

// Each test does what an operator does who follows docs/operating/backup-and-restore.md from its beginning to its end.
describe('the guide for backup and restore', () => {
  const cleanup = new Cleanup();
  const postgres = ownSuitePostgres();
  afterEach(() => cleanup.run());

  const newToken = async (guide: FollowedGuide, label: string): Promise<{ id: number; token: string }> => {
    const made = await guide.shell(`npx streamgate token create publish --stream main --label ${label} --json`);
    return JSON.parse(made).data;
  };
  const publishes = async ({ origin }: GuideMachine, { token }: { token: string }): Promise<unknown> => {
    const { status, body } = await askDirector({ origin }, 'publish', token, { streamName: 'main' });
    return status === 200 || body.data.code;
  };
  /** The server notices within a second what the command line changed. */
  const untilRefused = async (on: GuideMachine, token: { token: string }, code: string) =>
    await until(`${code} is the answer`, async () => (await publishes(on, token)) === code);

  it('brings an SQLite server back to the time of its backup', async () => {
    const on = await GuideMachine.open(cleanup);
    const guide = new FollowedGuide(GUIDE, on);
    const kept = await newToken(guide, 'kept');
    assert.match(await guide.run('SQLite'), /Accounts: 1, tokens: 1/);
    const later = await newToken(guide, 'later');
    await guide.shell(`npx streamgate token update ${kept.id} --active false`);
    await untilRefused(on, kept, 'token_disabled');
    assert.equal(await publishes(on, later), true);

    await guide.shell(`mkdir --parents ${on.env['DATA_DIR']}/recordings`);
    await guide.run('Restore');
    assert.deepEqual([await publishes(on, kept), await publishes(on, later)], [true, 'token_unknown']);
    const shown = await guide.run('After a restore');
    assert.match(shown, /"up":true/);
    assert.match(shown, /main/);
    assert.match(shown, /kept/);
    assert.doesNotMatch(shown, /later/);

    const rehearsed = await guide.run('Rehearse it');
    assert.match(rehearsed, /kept/);
  });

  it('brings a server on PostgreSQL back to the time of its backup', async () => {
    await query(postgres.adminUrl, `create role streamgate login password 'password'`);
    await query(postgres.adminUrl, 'create database streamgate owner streamgate');
    const { host, hostname, port, username } = new URL(postgres.adminUrl);
    const on = await GuideMachine.open(cleanup, {
      DATABASE_URL: `postgres://streamgate:password@${host}/streamgate`,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
    });
    const guide = new FollowedGuide(GUIDE, on);
    const kept = await newToken(guide, 'kept');
    assert.match(await guide.run('PostgreSQL'), /\S/);
    const later = await newToken(guide, 'later');
    await guide.shell(`npx streamgate token delete ${kept.id}`);
    await untilRefused(on, kept, 'token_unknown');
    assert.equal(await publishes(on, later), true);

    await guide.shell('systemctl stop streamgate');
    await guide.run('Restore on PostgreSQL');
    await guide.shell('systemctl start streamgate');
    assert.deepEqual([await publishes(on, kept), await publishes(on, later)], [true, 'token_unknown']);
    assert.match(await guide.run('After a restore'), /kept/);
    await guide.shell('dropdb streamgate_before');

    assert.match(await guide.run('Rehearse it', 1, { 'db.example.com:5432': host }), /kept/);
    assert.doesNotMatch(readFileSync(on.log, 'utf8'), /"level":50/);
  });
});
