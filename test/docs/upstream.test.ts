import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { UPSTREAM_CAPABILITIES } from '../../server/upstream/upstream-capabilities.js';
import { codeIn, tableUnder } from '../support/markdown-table.js';

const PAGE = join(import.meta.dirname, '../../docs/guides/upstream.md');

describe('the guide to upstreams', () => {
  it('lists everything that streams do not have there', () => {
    const rows = tableUnder(readFileSync(PAGE, 'utf8'), 'What streams do not have there');
    const missing = Object.entries(UPSTREAM_CAPABILITIES).filter(([, isThere]) => isThere === false);
    assert.deepEqual(
      rows.flatMap(([name]) => codeIn(name!)),
      missing.map(([name]) => name),
    );
  });
});
