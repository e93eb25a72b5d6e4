import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readServerReports } from '../../../../src/pages/dashboard/home/server-report.js';

const old = { code: 'openssl_unsupported', message: 'The WebRTC library is old', since: '2026-11-27T10:00:00.000Z' };
const full = { code: 'disk_full', message: 'The disk is full', component: 'data_folder', since: old.since };

describe('what the server says of itself', () => {
  it('is its problems, and then its warnings', () => {
    const data = { ready: false, problems: [full], warnings: [old], faults: [] };
    assert.deepEqual(readServerReports({ status: 'fail', data }), [
      { code: 'disk_full', message: 'The disk is full' },
      { code: 'openssl_unsupported', message: 'The WebRTC library is old' },
    ]);
  });

  it('is nothing on a server that is well, and on one that knows no warnings', () => {
    for (const data of [
      { ready: true, problems: [], warnings: [] },
      { ready: true, problems: [] },
    ]) {
      assert.deepEqual(readServerReports({ status: 'success', data }), []);
    }
  });

  for (const answer of [undefined, null, 'Bad Gateway', {}, { data: { problems: 'many' } }]) {
    it(`is nothing in ${JSON.stringify(answer)}`, () => assert.deepEqual(readServerReports(answer), []));
  }
});
