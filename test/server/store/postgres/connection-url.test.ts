import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../../../server/store/database.js';
import { DatabaseError } from '../../../../server/store/database-errors.js';
import { until } from '../../../support/media/until.js';
import { query } from '../../../support/postgres.js';
import { ownSuitePostgres } from '../../../support/suite-postgres.js';

const CERTIFICATES = join(import.meta.dirname, '../../../support/certificates');
/** It has every character that ends a part of a URL. */
const PASSWORD = 'a#b/c?d@e:f%40 g+h';

describe('a server reaches PostgreSQL', () => {
  const postgres = ownSuitePostgres();
  let url: URL;

  before(async () => {
    const setting = async (name: string) => Object.values((await query(postgres.adminUrl, `show ${name}`))[0]!)[0];
    const [data, access] = [await setting('data_directory'), await setting('hba_file')];
    const { uid, gid } = statSync(data);
    for (const [from, to] of [
      ['trusted.pem', 'server.crt'],
      ['server.key.pem', 'server.key'],
    ] as const) {
      copyFileSync(join(CERTIFICATES, from), join(data, to));
      chownSync(join(data, to), uid, gid);
      chmodSync(join(data, to), 0o600);
    }
    const rule = 'host all guarded 127.0.0.1/32 scram-sha-256\n';
    writeFileSync(access, rule + readFileSync(access, 'utf8'));
    await query(postgres.adminUrl, `create role guarded login superuser password '${PASSWORD}'`);
    await query(postgres.adminUrl, 'alter system set ssl = on');
    await query(postgres.adminUrl, 'select pg_reload_conf()');
    await until('it speaks TLS', async () => (await setting('ssl')) === 'on');
    url = new URL(await postgres.migratedDatabase());
  });

  /** Of the connection that calls use. */
  async function connection(to: string) {
    const db = await openDatabase('', to);
    const { rows } = await sql<{ user: string; isEncrypted: boolean; isLocal: boolean }>`
      select current_user as user, ssl as "isEncrypted", inet_client_addr() is null as "isLocal"
      from pg_stat_ssl where pid = pg_backend_pid()`.execute(db);
    await db.destroy();
    return rows[0];
  }
  const withQuery = (parameters: string) => `${url.href}?${parameters}`;

  it('over a Unix socket, in both spellings', async () => {
    const [{ unix_socket_directories: folder }] = (await query(postgres.adminUrl, 'show unix_socket_directories')) as [
      { unix_socket_directories: string },
    ];
    for (const to of [
      `postgres://postgres@${url.pathname}?host=${folder}&port=${url.port}`,
      `postgres://postgres@${encodeURIComponent(folder)}:${url.port}${url.pathname}`,
    ]) {
      assert.deepEqual(await connection(to), { user: 'postgres', isEncrypted: false, isLocal: true });
    }
  });

  it('with a password that is written in codes', async () => {
    const to = Object.assign(new URL(url), { username: 'guarded' }).href.replace(
      'guarded@',
      `guarded:${encodeURIComponent(PASSWORD)}@`,
    );
    assert.deepEqual(await connection(to), { user: 'guarded', isEncrypted: false, isLocal: false });
  });

  it('over TLS, with a certificate of an authority of its own', async () => {
    const authority = join(CERTIFICATES, 'authority.pem');
    const { isEncrypted } = (await connection(withQuery(`sslmode=verify-full&sslrootcert=${authority}`)))!;
    assert.equal(isEncrypted, true);
  });

  for (const [what, parameters, message] of [
    ['the authority is not known', 'sslmode=verify-full', /certificate/],
    ['the file of the authority is missing', 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem', /\/nowhere\/ca\.pem/],
  ] as const) {
    it(`and not over TLS where ${what}, and says so`, async () => {
      await assert.rejects(connection(withQuery(parameters)), (error) => {
        assert.ok(error instanceof DatabaseError);
        return message.test(error.message);
      });
    });
  }
});
