import assert from 'node:assert/strict';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GrantSigner } from '../../../server/admission/grant-signer.js';
import { aGrant, payloadOf } from '../../support/grant.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const signer = new GrantSigner(createSecretKey(randomBytes(32)));

describe('GrantSigner', () => {
  it('verifies its own grants', () => {
    const lists = {
      allowedOrigins: ['example.com'],
      allowedIpAddresses: ['192.0.2.0/24'],
      deniedIpAddresses: ['192.0.2.200'],
      allowedCountries: ['CH'],
      deniedCountries: [],
    };
    const signed = { until: NOW, ...lists, maxSessions: 2, id: 'c'.repeat(32) };
    const grant = aGrant({ resumes: 'b'.repeat(32), signed, node: 'https://a.example' });
    assert.deepEqual(signer.check(signer.sign(grant, NOW), NOW), { ok: true, grant, expiresAt: NOW + 60_000 });
  });

  it('puts the stream name where existing clients read it', () => {
    const { millicast } = payloadOf(signer.sign(aGrant({ streamName: 'key/note 1' }), NOW));
    assert.equal(millicast.streamName, 'key/note 1');
    assert.equal(millicast.record, false);
    assert.equal(payloadOf(signer.sign(aGrant(), NOW, true)).millicast.record, true);
  });

  it('writes every text as JSON does', () => {
    const texts = fc.record({ streamName: fc.string({ unit: 'binary' }), origin: fc.string({ unit: 'binary' }) });
    fc.assert(
      fc.property(texts, (texts) => {
        const grant = aGrant({ ...texts, chain: { id: 'a'.repeat(32), turn: 1 } });
        assert.deepEqual(signer.check(signer.sign(grant, NOW), NOW), { ok: true, grant, expiresAt: NOW + 60_000 });
      }),
    );
  });

  it('accepts a grant until the minute is over', () => {
    const jwt = signer.sign(aGrant(), NOW);
    assert.equal(signer.check(jwt, NOW + 59_999).ok, true);
    assert.deepEqual(signer.check(jwt, NOW + 60_000), { ok: false, code: 'grant_expired' });
  });

  it('refuses a grant that another key signed', () => {
    const other = new GrantSigner(createSecretKey(randomBytes(32)));
    assert.deepEqual(signer.check(other.sign(aGrant(), NOW), NOW), { ok: false, code: 'grant_invalid' });
  });

  it('refuses a changed payload', () => {
    const [header, , signature] = signer.sign(aGrant(), NOW).split('.');
    const [, body] = signer.sign(aGrant({ streamName: 'another' }), NOW).split('.');
    assert.deepEqual(signer.check(`${header}.${body}.${signature}`, NOW), { ok: false, code: 'grant_invalid' });
  });

  it('refuses a token whose algorithm is none', () => {
    const [, body] = signer.sign(aGrant(), NOW).split('.');
    const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    assert.deepEqual(signer.check(`${header}.${body}.`, NOW), { ok: false, code: 'grant_invalid' });
  });

  it('refuses another header with a valid signature, and a fourth part', () => {
    const key = createSecretKey(Buffer.alloc(32, 7));
    const jwt = new GrantSigner(key).sign(aGrant(), NOW);
    const other = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${jwt.split('.')[1]}`;
    const signed = `${other}.${createHmac('sha256', key).update(other).digest('base64url')}`;
    assert.equal(new GrantSigner(key).check(jwt, NOW).ok, true);
    for (const text of [signed, `${jwt}.`, `${jwt}.more`]) {
      assert.deepEqual(new GrantSigner(key).check(text, NOW), { ok: false, code: 'grant_invalid' });
    }
  });

  it('refuses other claims with a valid signature, as another version of the server signs them', () => {
    const key = createSecretKey(randomBytes(32));
    const versions = [{}, { iss: 'streamgate', exp: NOW / 1000 + 60 }, null, 'text'];
    for (const claims of versions) {
      const header = signer.sign(aGrant(), NOW).split('.')[0];
      const unsigned = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      const jwt = `${unsigned}.${createHmac('sha256', key).update(unsigned).digest('base64url')}`;
      assert.deepEqual(new GrantSigner(key).check(jwt, NOW), { ok: false, code: 'grant_invalid' });
    }
  });

  it('refuses any other text without an exception', () => {
    const [header] = signer.sign(aGrant(), NOW).split('.');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.tuple(fc.string(), fc.string()).map(([a, b]) => `${header}.${a}.${b}`),
        ),
        (text) => {
          assert.deepEqual(signer.check(text, NOW), { ok: false, code: 'grant_invalid' });
        },
      ),
    );
  });
});
