import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
/** As node:sqlite makes it. @param errcode the extended result code */
const sqlite = (errcode: number) => Object.assign(new Error('no'), { code: 'ERR_SQLITE_ERROR', errcode });

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
    const SQLITE_FULL = 13;
    assert.equal(told(sqlite(SQLITE_FULL)), 'full');
    const busy = { SQLITE_BUSY: 5, SQLITE_BUSY_SNAPSHOT: 517, SQLITE_LOCKED: 6 };
    for (const [name, code] of Object.entries(busy)) assert.equal(told(sqlite(code)), 'busy', name);
    const codes = {
      unreachable: { SQLITE_IOERR_WRITE: 778, SQLITE_IOERR_SHMSIZE: 4874, SQLITE_CANTOPEN: 14 },
      'read-only': { SQLITE_READONLY: 8, SQLITE_READONLY_DBMOVED: 1032 },
    };
    for (const [word, results] of Object.entries(codes)) {
      for (const [name, code] of Object.entries(results)) {
        assert.equal(told(sqlite(code), { saves: true }), word, name);
        assert.equal(told(sqlite(code), { isDiskFull: true }), 'full', name);
      }
    }
    const ours = { SQLITE_CONSTRAINT_UNIQUE: 2067, SQLITE_ERROR: 1 };
    for (const [name, code] of Object.entries(ours)) assert.equal(told(sqlite(code)), 'ours', name);
  });

  it('returns errors of the program, and translated errors, unchanged', () => {
    const aborted = Object.assign(new Error('aborted'), { name: 'AbortedTransactionError' });
    const closed = Object.assign(new Error('database is not open'), { code: 'ERR_INVALID_STATE' });
    for (const error of [new TypeError('x'), new ApiError(404, 'x', 'x'), aborted, closed])
      assert.equal(told(error), 'ours');
  });
});
