import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { ApiError, DatabaseUnavailableError, DiskFullError } from '../../../../server/errors.js';
import { databaseFault } from '../../../../server/store/availability/database-fault.js';

/** The classification in one word; `ours`: the error is unchanged. */
function told(error: Error, { saves = false, isDiskFull = false } = {}): string {
  const fault = databaseFault(error, { saves, isDiskFull: () => isDiskFull });
  if (fault instanceof DiskFullError) return 'full';
  if (fault instanceof DatabaseUnavailableError) {
    assert.equal(fault.cause, error);
    assert.deepEqual(fault.details, fault.fault === 'unconfirmed' ? { outcome: 'unknown' } : {});
    return fault.fault;
  }
  assert.equal(fault, error);
  return 'ours';
}

const postgres = (code: string) => Object.assign(new pg.DatabaseError('no', 1, 'error'), { code });
const sqlite = (code: string) => new SqliteDatabase.SqliteError('no', code);

describe('databaseFault', () => {
  it('classifies errors of PostgreSQL by SQLSTATE', () => {
    const codes = {
      full: ['53100'],
      busy: ['57014', '55P03', '40001', '40P01'],
      'read-only': ['25006'],
      unreachable: ['57P01', '57P03', '08006', '53300', '25P03', '58030', '28P01', '3D000'],
      ours: ['23505', '22021', '42P01', '42601'],
    };
    for (const [word, states] of Object.entries(codes)) {
      // PostgreSQL answered, so nothing was saved.
      for (const state of states) assert.equal(told(postgres(state), { saves: true }), word, state);
    }
  });

  it('reports an unknown outcome if the connection is lost during a commit', () => {
    for (const message of ['Query read timeout', 'Connection terminated unexpectedly', 'connect ECONNREFUSED']) {
      assert.equal(told(new Error(message)), 'unreachable');
      assert.equal(told(new Error(message), { saves: true }), 'unconfirmed');
    }
  });

  it('classifies errors of SQLite by result code', () => {
    assert.equal(told(sqlite('SQLITE_FULL')), 'full');
    for (const code of ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'])
      assert.equal(told(sqlite(code)), 'busy');
    const codes = {
      unreachable: ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'SQLITE_CANTOPEN'],
      'read-only': ['SQLITE_READONLY', 'SQLITE_READONLY_DBMOVED'],
    };
    for (const [word, results] of Object.entries(codes)) {
      for (const code of results) {
        assert.equal(told(sqlite(code), { saves: true }), word);
        assert.equal(told(sqlite(code), { isDiskFull: true }), 'full');
      }
    }
    for (const code of ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR']) assert.equal(told(sqlite(code)), 'ours');
  });

  it('returns errors of the program, and translated errors, unchanged', () => {
    const aborted = Object.assign(new Error('aborted'), { name: 'AbortedTransactionError' });
    for (const error of [new TypeError('x'), new ApiError(404, 'x', 'x'), aborted]) assert.equal(told(error), 'ours');
  });
});
