import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { signSubscribeToken } from '../../src/management/sign-subscribe-token.js';

const NOW = Date.parse('2030-01-01T00:00:00.900Z');
const SECONDS = Math.floor(NOW / 1_000);
const parent = { id: 7, token: 'ef'.repeat(32) };
const key = new TextEncoder().encode(parent.token);
const options = { now: () => NOW };

describe('signSubscribeToken', () => {
  it('makes a JWT of the claims that existing services sign', async () => {
    const claims = { streamName: 'Bühne/1', expires: 60, notBefore: 5, allowedOrigins: ['example.com'] };
    const jwt = await signSubscribeToken(parent, claims, options);
    assert.deepEqual(decodeProtectedHeader(jwt), { alg: 'HS256', typ: 'JWT' });
    const { payload } = await jwtVerify(jwt, key, { currentDate: new Date(NOW + 10_000) });
    assert.deepEqual(payload, {
      streaming: { tokenId: 7, tokenType: 'Subscribe', streamName: 'Bühne/1', allowedOrigins: ['example.com'] },
      iat: SECONDS,
      nbf: SECONDS + 5,
      exp: SECONDS + 60,
    });
  });

  for (const algorithm of ['HS256', 'HS384', 'HS512'] as const) {
    it(`signs with ${algorithm}`, async () => {
      const jwt = await signSubscribeToken(parent, { streamName: 'main', expires: 60 }, { ...options, algorithm });
      const { protectedHeader } = await jwtVerify(jwt, key, { algorithms: [algorithm], currentDate: new Date(NOW) });
      assert.equal(protectedHeader.alg, algorithm);
    });
  }

  for (const expires of [0, -1, Number.NaN, Infinity]) {
    it(`throws for a token that expires in ${expires} seconds`, async () =>
      assert.rejects(signSubscribeToken(parent, { streamName: 'main', expires }), RangeError));
  }
});
