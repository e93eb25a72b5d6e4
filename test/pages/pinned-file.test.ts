import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readPinnedFile } from '../../src/pages/pinned-file.js';

describe('the file of a version', () => {
  it('has the version in its path, and a hash', () => {
    assert.deepEqual(
      readPinnedFile({ version: '1.2.3', files: { 'streamgate.js': 'sha384-abc', 'i18n/de.js': 'x' } }),
      {
        path: '/streamgate-1.2.3.js',
        integrity: 'sha384-abc',
      },
    );
  });

  for (const answer of [
    null,
    undefined,
    'no',
    1,
    {},
    { version: '1.2.3' },
    { version: 1, files: { 'streamgate.js': 'x' } },
  ])
    it(`is undefined for ${JSON.stringify(answer)}`, () => assert.equal(readPinnedFile(answer), undefined));

  it('is read from any answer without an error', () => {
    fc.assert(fc.property(fc.anything(), (answer) => void readPinnedFile(answer)));
  });
});
