import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { IceServers, turnCredential, type IceServerSettings } from '../../../server/admission/ice-servers.js';

const SESSION = '0123456789abcdef0123456789abcdef';
const NOW = Date.parse('2029-12-31T22:00:00.999Z');

const settings = (changed: Partial<IceServerSettings> = {}): IceServerSettings => ({
  stunUrls: [],
  turnUrls: ['turn:turn.example.com', 'turns:turn.example.com:443'],
  turnSecret: 'north',
  turnTtlS: 21_600,
  ...changed,
});

describe('a TURN credential', () => {
  it('is the HMAC-SHA-1 of the expiry and the session', () => {
    // printf 1893470400:0123…cdef | openssl dgst -sha1 -hmac north -binary | base64
    assert.deepEqual(turnCredential(createSecretKey('north', 'utf8'), SESSION, 1_893_470_400), {
      username: `1893470400:${SESSION}`,
      credential: 'MyW9sfjygHQSVWQg2gzgcCYeHPk=',
    });
  });

  it('uses the secret as UTF-8, of any length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (secret) => {
        const wanted = createHmac('sha1', Buffer.from(secret)).update(`1:${SESSION}`).digest('base64');
        assert.equal(turnCredential(createSecretKey(secret, 'utf8'), SESSION, 1).credential, wanted);
      }),
    );
  });
});

describe('the ICE servers of a session', () => {
  it('are none by default', () => {
    const none = new IceServers(settings({ turnUrls: [], turnSecret: undefined }));
    assert.deepEqual(none.forSession(SESSION, NOW), []);
    assert.equal(none.json(SESSION, NOW), '[]');
  });

  it('are STUN servers without a credential', () => {
    const stun = new IceServers(settings({ stunUrls: ['stun:a.example'], turnUrls: [], turnSecret: undefined }));
    assert.deepEqual(stun.forSession(SESSION, NOW), [{ urls: ['stun:a.example'] }]);
  });

  it('are TURN servers with a credential that expires after the configured time', () => {
    assert.deepEqual(new IceServers(settings()).forSession(SESSION, NOW), [
      {
        urls: ['turn:turn.example.com', 'turns:turn.example.com:443'],
        username: `1893470400:${SESSION}`,
        credential: 'MyW9sfjygHQSVWQg2gzgcCYeHPk=',
      },
    ]);
  });

  it('are the same as JSON', () => {
    const urls = fc.array(fc.constantFrom('stun:a.example', 'turn:b.example?transport=tcp', 'turns:[::1]:443'));
    fc.assert(
      fc.property(urls, urls, fc.stringMatching(/^[0-9a-f]{32}$/), (stunUrls, turnUrls, sessionId) => {
        const servers = new IceServers(settings({ stunUrls, turnUrls }));
        assert.deepEqual(JSON.parse(servers.json(sessionId, NOW)), servers.forSession(sessionId, NOW));
      }),
    );
  });

  it('never contain the secret', () => {
    const servers = new IceServers(settings({ turnSecret: 'a secret of some length' }));
    assert.doesNotMatch(servers.json(SESSION, NOW), /secret/);
    assert.doesNotMatch(JSON.stringify(servers), /secret/);
  });
});
