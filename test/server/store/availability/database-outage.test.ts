import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { DatabaseUnavailableError } from '../../../../server/errors.js';
import { isOutage } from '../../../../server/store/availability/database-outage.js';
import { DatabaseError, DataDirError } from '../../../../server/store/database-errors.js';

const ofServer = (code: string) => new DatabaseError(Object.assign(new pg.DatabaseError('', 0, 'error'), { code }));
const ofSocket = (code: string, syscall = 'connect') =>
  new DatabaseError(Object.assign(new Error(code), { code, syscall }));

describe('an outage of the database', () => {
  for (const [what, error] of [
    ['that nobody listens', ofSocket('ECONNREFUSED')],
    ['that its host is unknown, as of a container that is not started', ofSocket('ENOTFOUND', 'getaddrinfo')],
    ['that its Unix socket is missing', ofSocket('ENOENT')],
    ['that nothing answers in time', new DatabaseError(new Error('timeout expired'))],
    ['that the connection breaks off', new DatabaseError(new Error('Connection terminated unexpectedly'))],
    ['that it starts or stops', ofServer('57P03')],
    ['that it has no connection left', ofServer('53300')],
    ['that it is a standby', ofServer('25006')],
    ['that a later statement finds it gone', new DatabaseUnavailableError({ cause: new Error('timeout expired') })],
    ['that it is too slow', new DatabaseUnavailableError({ fault: 'busy' })],
  ] as const) {
    it(`is ${what}`, () => assert.equal(isOutage(error), true));
  }

  for (const [what, error] of [
    ['a wrong password', ofServer('28P01')],
    ['an unknown user', ofServer('28000')],
    ['an unknown database', ofServer('3D000')],
    ['a right that is missing', ofServer('42501')],
    ['a file of a certificate that is missing', ofSocket('ENOENT', 'open')],
    ['a certificate that is not valid', ofSocket('SELF_SIGNED_CERT_IN_CHAIN')],
    ['a user that a later statement finds removed', new DatabaseUnavailableError({ cause: ofServer('28000').cause })],
    ['a data folder whose name looks like one', new DataDirError('the data folder /timeout cannot be used')],
    ['an error of our own', new TypeError('timeout')],
  ] as const) {
    it(`is not ${what}`, () => assert.equal(isOutage(error), false));
  }
});
