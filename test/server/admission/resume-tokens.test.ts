import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { GrantSigner } from '../../../server/admission/grant-signer.js';
import { RESUME_TOKEN_LIFETIME_S, ResumeTokens } from '../../../server/admission/resume-tokens.js';
import { aGrant } from '../../support/grant.js';

const key = createSecretKey(Buffer.alloc(32, 7));
const NOW = Date.parse('2030-01-01T00:00:00Z');
const HERE = { role: 'Subscribe', origin: 'https://elsewhere.example', address: '192.0.2.9' } as const;

describe('ResumeTokens', () => {
  it('gives back the grant of the session, for a session of its own and from where the client is now', () => {
    const tokens = new ResumeTokens(key);
    const check = tokens.redeem(tokens.issue(aGrant(), NOW), HERE, NOW + 1);
    assert.ok(check.ok);
    const { sessionId, ...grant } = check.grant;
    assert.match(sessionId, /^[0-9a-f]{32}$/);
    assert.notEqual(sessionId, aGrant().sessionId);
    const { sessionId: before, ...expected } = aGrant({ origin: HERE.origin, address: HERE.address });
    assert.deepEqual(grant, { ...expected, resumes: before });
  });

  it('is good once', () => {
    const tokens = new ResumeTokens(key);
    const token = tokens.issue(aGrant(), NOW);
    assert.equal(tokens.redeem(token, HERE, NOW).ok, true);
    assert.deepEqual(tokens.redeem(token, HERE, NOW), { ok: false, code: 'grant_spent' });
  });

  it('is good until its time is over, and after a start with the same key', () => {
    const token = new ResumeTokens(key).issue(aGrant(), NOW);
    const end = NOW + RESUME_TOKEN_LIFETIME_S * 1000;
    const tokens = new ResumeTokens(key);
    assert.deepEqual(tokens.redeem(token, HERE, end), { ok: false, code: 'grant_expired' });
    assert.equal(tokens.redeem(token, HERE, end - 1).ok, true);
  });

  it('is for its role alone, and asking for the other does not spend it', () => {
    const tokens = new ResumeTokens(key);
    const token = tokens.issue(aGrant(), NOW);
    assert.deepEqual(tokens.redeem(token, { ...HERE, role: 'Publish' }, NOW), { ok: false, code: 'grant_invalid' });
    assert.equal(tokens.redeem(token, HERE, NOW).ok, true);
  });

  it('is no grant, and a grant is no resume token', () => {
    const tokens = new ResumeTokens(key);
    const grants = new GrantSigner(key);
    const invalid = { ok: false, code: 'grant_invalid' };
    assert.deepEqual(grants.check(tokens.issue(aGrant(), NOW), NOW), invalid);
    assert.deepEqual(tokens.redeem(grants.sign(aGrant(), NOW), HERE, NOW), invalid);
    assert.deepEqual(tokens.redeem('a.b.c', HERE, NOW), invalid);
  });
});
