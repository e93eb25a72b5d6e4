import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { GrantSigner } from '../../../server/admission/grant-signer.js';
import { REWIND_PASS_LIFETIME_S, RewindPasses } from '../../../server/admission/rewind-passes.js';
import { aGrant } from '../../support/grant.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const key = createSecretKey(Buffer.alloc(32, 7));
const passes = new RewindPasses(key);

describe('a pass for a recording', () => {
  const pass = passes.issue('one', aGrant({ resumes: 'before', chain: { id: 'first', turn: 2 } }), NOW);

  it('has the grant of the viewer, and resumes nothing', () => {
    const expiresAt = NOW + REWIND_PASS_LIFETIME_S * 1_000;
    assert.deepEqual(passes.check('one', pass, NOW), { ok: true, grant: aGrant(), expiresAt });
  });

  it('is good for four hours', () => {
    assert.equal(passes.check('one', pass, NOW + 4 * 3_600_000 - 1).ok, true);
    assert.deepEqual(passes.check('one', pass, NOW + 4 * 3_600_000), { ok: false, code: 'grant_expired' });
  });

  it('is for no other recording, and is no grant', () => {
    const invalid = { ok: false, code: 'grant_invalid' };
    assert.deepEqual(passes.check('two', pass, NOW), invalid);
    assert.deepEqual(new GrantSigner(key).check(pass, NOW), invalid);
    assert.deepEqual(passes.check('one', new GrantSigner(key).sign(aGrant(), NOW), NOW), invalid);
  });
});
