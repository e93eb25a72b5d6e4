import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { GrantSigner } from '../../../server/admission/grant-signer.js';
import { RESUME_TOKEN_LIFETIME_S, ResumeTokens } from '../../../server/admission/resume-tokens.js';
import { aGrant } from '../../support/grant.js';

const key = createSecretKey(Buffer.alloc(32, 7));
const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('ResumeTokens', () => {
  it('returns the grant of the session with a new session id', () => {
    const tokens = new ResumeTokens(key);
    const check = tokens.redeem(tokens.issue(aGrant(), NOW), 'Subscribe', NOW + 1);
    assert.ok(check.ok);
    const { sessionId, ...grant } = check.grant;
    assert.match(sessionId, /^[0-9a-f]{32}$/);
    assert.notEqual(sessionId, aGrant().sessionId);
    const { sessionId: before, ...expected } = aGrant();
    assert.deepEqual(grant, { ...expected, resumes: before, chain: { id: before, turn: 1 } });
  });

  it('accepts a token once', () => {
    const tokens = new ResumeTokens(key);
    const token = tokens.issue(aGrant(), NOW);
    assert.equal(tokens.redeem(token, 'Subscribe', NOW).ok, true);
    assert.deepEqual(tokens.redeem(token, 'Subscribe', NOW), { ok: false, code: 'grant_spent' });
  });

  it('accepts no token of an earlier session of the same client', () => {
    const tokens = new ResumeTokens(key);
    let session = aGrant();
    const used: string[] = [];
    for (let index = 0; index < 5; index++) {
      used.push(tokens.issue(session, NOW));
      const check = tokens.redeem(used.at(-1)!, 'Subscribe', NOW);
      assert.ok(check.ok);
      // A phone has another address after each loss.
      session = { ...check.grant, address: `10.0.${index}.1` };
    }
    assert.deepEqual(session.chain, { id: aGrant().sessionId, turn: 5 });
    for (const token of used)
      assert.deepEqual(tokens.redeem(token, 'Subscribe', NOW), { ok: false, code: 'grant_spent' });
  });

  it('accepts the tokens of a version that did not count, once', () => {
    const before = createSecretKey(createHmac('sha256', key).update('resume').digest());
    const token = new GrantSigner(before, RESUME_TOKEN_LIFETIME_S).sign(aGrant({ resumes: 'before' }), NOW);
    const tokens = new ResumeTokens(key);
    assert.equal(tokens.redeem(token, 'Subscribe', NOW).ok, true);
    assert.deepEqual(tokens.redeem(token, 'Subscribe', NOW), { ok: false, code: 'grant_spent' });
  });

  it('accepts a token until it expires, and after a restart with the same key', () => {
    const token = new ResumeTokens(key).issue(aGrant(), NOW);
    const end = NOW + 4 * 3_600_000;
    const tokens = new ResumeTokens(key);
    assert.deepEqual(tokens.redeem(token, 'Subscribe', end), { ok: false, code: 'grant_expired' });
    assert.equal(tokens.redeem(token, 'Subscribe', end - 1).ok, true);
  });

  it('refuses a token for the other role, without spending it', () => {
    const tokens = new ResumeTokens(key);
    const token = tokens.issue(aGrant(), NOW);
    assert.deepEqual(tokens.redeem(token, 'Publish', NOW), { ok: false, code: 'grant_invalid' });
    assert.equal(tokens.redeem(token, 'Subscribe', NOW).ok, true);
  });

  it('is not accepted as a grant, nor a grant as a resume token', () => {
    const tokens = new ResumeTokens(key);
    const grants = new GrantSigner(key);
    const invalid = { ok: false, code: 'grant_invalid' };
    assert.deepEqual(grants.check(tokens.issue(aGrant(), NOW), NOW), invalid);
    assert.deepEqual(tokens.redeem(grants.sign(aGrant(), NOW), 'Subscribe', NOW), invalid);
    assert.deepEqual(tokens.redeem('a.b.c', 'Subscribe', NOW), invalid);
  });
});
