import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newSessionId } from '../../../server/admission/session-id.js';

describe('newSessionId', () => {
  it('makes 32 hex digits, and no id twice', () => {
    const ids = Array.from({ length: 1_000 }, newSessionId);
    for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal(new Set(ids).size, ids.length);
  });
});
