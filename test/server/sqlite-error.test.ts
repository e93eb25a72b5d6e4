import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, it } from 'node:test';
import { isSqliteError, ResultCode, resultCode } from '../../server/sqlite-error.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

const thrownBy = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
};

describe('an error of SQLite', () => {
  it('has the result code of a lock that another connection has', async () => {
    const file = join(await dataFolder(cleanup), 'a.db');
    const [first, second] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 0 })] as const;
    first.exec('begin exclusive');
    const error = thrownBy(() => second.exec('begin exclusive'));
    assert.ok(isSqliteError(error));
    assert.equal(resultCode(error), ResultCode.busy);
    first.close();
    second.close();
  });

  it('has the result code of a violated constraint, without its kind', () => {
    const sqlite = new DatabaseSync(':memory:');
    sqlite.exec('create table point (id integer primary key, label text unique)');
    const error = thrownBy(() => sqlite.exec(`insert into point values (1, 'a'), (2, 'a')`));
    assert.ok(isSqliteError(error));
    assert.equal(resultCode(error), 19);
  });

  it('is no error of Node', () => {
    const sqlite = new DatabaseSync(':memory:');
    sqlite.close();
    assert.equal(isSqliteError(thrownBy(() => sqlite.prepare('select 1'))), false);
    assert.equal(isSqliteError(new Error('x')), false);
  });
});
