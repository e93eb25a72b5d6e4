import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { ConfigError } from '../../../server/config/config-error.js';
import { readConfig } from '../../../server/config/config.js';

const faultOf = (url: string): string | undefined => {
  try {
    readConfig({ DATABASE_URL: url });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults.join();
  }
};
/** Where the driver connects to. */
const readByDriver = (url: string) => {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url });
  return { host, port, user, password, database };
};

describe('DATABASE_URL', () => {
  for (const url of [
    'postgres://db.example.com/streamgate',
    'postgresql://user:secret@[2001:db8::1]:5433/streamgate?sslmode=verify-full',
    'postgres:///streamgate?host=/var/run/postgresql',
    'postgres://user@/streamgate?host=/var/run/postgresql',
    'postgres://user:secret@/streamgate?host=db.example.com&port=5433',
    'postgres://%2Fvar%2Frun%2Fpostgresql/streamgate',
  ]) {
    it(`is taken as the driver takes it: ${url}`, () => {
      assert.equal(faultOf(url), undefined);
      assert.equal(readByDriver(url).database, 'streamgate');
    });
  }

  for (const url of ['db.example.com', 'mysql://db/streamgate', 'postgres:streamgate', 'postgres://db:port/name']) {
    it(`is refused with an example: ${url}`, () => {
      assert.equal(faultOf(url), 'DATABASE_URL: must be like postgres://user:password@db.example.com:5432/streamgate');
    });
  }

  it('with a password that ends a part of the URL is refused, with what to write, and nothing of it is shown', () => {
    for (const password of ['a#b', '12#34', 'a/b', '12/34', 'a?b', '12?34', '#', '12#']) {
      const fault = faultOf(`postgres://user:${password}@db.example.com:5432/streamgate`);
      assert.match(fault ?? password, /# as %23/, password);
      assert.ok(!fault!.includes(`user:${password}`));
    }
  });

  it('with any password in codes leads where it says, with that password', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (password) => {
        const url = `postgres://user:${encodeURIComponent(password)}@db.example.com:5433/streamgate`;
        assert.equal(faultOf(url), undefined);
        const { host, port, user, password: read, database } = readByDriver(url);
        assert.deepEqual([host, port, user, read, database], ['db.example.com', 5433, 'user', password, 'streamgate']);
      }),
    );
  });

  it('with any password, written as it is, leads where it says or is refused', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (password) => {
        const url = `postgres://user:${password}@db.example.com:5433/streamgate`;
        if (faultOf(url) === undefined) assert.equal(readByDriver(url).host, 'db.example.com');
      }),
    );
  });
});
